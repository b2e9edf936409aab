import { gzipSync } from "node:zlib";
import { capabilities } from "@assay/client";
import { describe, expect } from "vitest";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { overflowOf, shiftOf, watchShifts } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { PHONE } from "../testing/openTab.js";
import { hurryUntil, passTime, timeRequests } from "../testing/passTime.js";
import { service } from "../testing/service.js";

const MOST_SCRIPT_BYTES = 180 * 1024;

describe.runIf(findChromium())("the start page", () => {
  it("shows how the service is and every capability with its price, without a barrier or a jump, on a desk and on a phone, and goes on after an outage", async ({
    annotate,
    visit,
  }) => {
    const { page, requests, errors } = await visit("/", { prepare: watchShifts });
    const live = page.getByRole("region", { name: "The service now" });
    await live.getByText("Ready").waitFor();
    const facts = await live.innerText();
    expect(facts).toMatch(/Head block\s+\d+/);
    expect(facts).toMatch(/Block time\s+\d+\.\d\d s measured/);
    const entries = page.locator(".entry");
    await entries.first().waitFor();
    expect(await entries.count()).toBe(capabilities.length);
    for (const [group, title] of Object.entries({
      sign: "Before you sign",
      contract: "A contract or a token",
      world: "The chain, a page, a market",
      record: "Past transactions and records",
    })) {
      const listed = page.getByRole("region", { name: title }).locator(".entry h4");
      const expected = capabilities.filter((one) => one.group === group).map((one) => one.title);
      expect(await listed.allInnerTexts()).toEqual(expected);
    }
    const guard = await entries.filter({ hasText: "contract.guard" }).first().innerText();
    expect(guard).toContain("$0.02 – $0.10");
    expect(guard).toContain("active");
    await page.waitForLoadState("networkidle");
    const shift = await shiftOf(page);
    await annotate(`shift ${shift.toFixed(4)}`);
    expect(shift).toBeLessThan(0.05);

    // The policy lets nothing in and nothing out, and the page keeps to it.
    const response = await fetch(`${service.url}/`);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(errors).toEqual([]);
    const origins = new Set(requests.map((request) => new URL(request.url()).origin));
    expect([...origins]).toEqual([service.url]);

    const scripts = requests.filter((request) => request.resourceType() === "script");
    const sizes = await Promise.all(
      scripts.map(async (request) => gzipSync(await (await fetch(request.url())).text()).length),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    await annotate(`${scripts.length} scripts, ${bytes} bytes compressed`);
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((request) => /\/rule-[^/]*$/.test(request.url()))).toEqual([]);
    expect(bytes).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);

    await page.setViewportSize(PHONE);
    await page.reload();
    await entries.first().waitFor();
    await page.waitForLoadState("networkidle");
    const shiftOnPhone = await shiftOf(page);
    await annotate(`shift ${shiftOnPhone.toFixed(4)} on a phone`);
    expect(shiftOnPhone).toBeLessThan(0.05);
    expect(await overflowOf(page)).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await listBarriers(page, { onlyColours: true })).toEqual([]);

    // One box takes anything, says what it is, and leads to the form that asks about it.
    const box = page.getByRole("textbox", { name: "What do you want to check?" });
    const outcome = page.locator(".ask [role=status]");
    const token = service.contract("plainToken");
    await box.fill(`0x${"1f".repeat(32)}`);
    await page.getByRole("button", { name: "What did this transaction really do?" }).waitFor();
    await box.fill(`${"12".repeat(32)}`);
    await outcome.getByText("may be a private key").waitFor();
    expect(await page.getByRole("button", { name: "Check it" }).isDisabled()).toBe(true);
    // The chain decides which question about an address comes first, and whether there is one.
    const questions = page.locator(".ask-questions button");
    await box.fill(service.contract("transparentProxy"));
    await outcome.getByText("This is a contract that is not well known.").waitFor();
    expect((await questions.allInnerTexts())[0]).toBe("Who can change this contract?");
    expect(await page.getByRole("button", { name: "Can I sell this token again?" }).count()).toBe(0);
    await box.fill(service.wallet("bob").address);
    await page.getByRole("link", { name: "Check a payment to it" }).waitFor();
    expect(await questions.count()).toBe(0);
    await box.fill(token);
    await outcome.getByText("This is a token that is not well known").waitFor();
    expect((await questions.allInnerTexts())[0]).toBe("Can I sell this token again?");
    expect(await listBarriers(page, { onlyColours: true })).toEqual([]);
    await box.press("Enter");
    await page.getByRole("heading", { name: "Can I sell this token again?" }).waitFor();
    // The frame of the page stays in sight.
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await goTo(page, "/");
    const sent = requests.length;
    const data = `0xa9059cbb${token.slice(2).toLowerCase().padStart(64, "0")}${"5".padStart(64, "0")}`;
    await box.fill(JSON.stringify({ to: token, data }));
    await page.getByRole("button", { name: "What does this transaction do?" }).click();
    await page.getByRole("heading", { name: "What does this transaction do?" }).waitFor();
    expect(await page.getByRole("textbox", { name: "data" }).inputValue()).toBe(data);
    // A private question is in no address, and the form takes it once.
    expect(new URL(page.url()).search).toBe("");
    expect(requests.slice(sent).filter((request) => request.url().includes("a9059cbb"))).toEqual([]);
    await page.getByRole("link", { name: "Records", exact: true }).click();
    await page.getByRole("link", { name: "Log", exact: true }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
    await goTo(page, "/");
    await entries.first().waitFor();

    await page.context().setOffline(true);
    await page.getByText("This browser is offline").waitFor();
    await hurryUntil(page, page.getByText("The service does not answer").first());
    await page.context().setOffline(false);
    await hurryUntil(page, live.getByText("Ready"));
  });

  it("says after a few seconds that the service does not answer, where it takes requests and is silent", async ({
    visit,
  }) => {
    const { page } = await visit("/", {
      prepare: async (fresh) => {
        await timeRequests(fresh);
        await fresh.route("**/api/v1/health", () => {});
      },
    });
    const live = page.getByRole("region", { name: "The service now" });
    const footer = page.locator("footer");
    await live.waitFor();
    expect(await page.getByText("The service does not answer").count()).toBe(0);
    await passTime(page, 4_000);
    // Sooner than a request ends by itself.
    for (const place of [live, footer])
      await place.getByText("The service does not answer").waitFor({ timeout: 20_000 });
    // The next request does not hide that.
    const next = page.waitForRequest("**/api/v1/health");
    await passTime(page, 2_000);
    await next;
    for (const place of [live, footer])
      expect(await place.getByText("The service does not answer").count()).toBe(1);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await passTime(page, 4_000);
    await passTime(page, 2_000);
    await live.getByText("Ready").waitFor();
  });

  it("keeps its frame when a page cannot be loaded, tries again by itself and offers to, and works where the browser forbids to keep anything", async ({
    visit,
  }) => {
    let failsUntilMs = 0;
    const { page, errors } = await visit("/verify", {
      prepare: async (fresh) => {
        await fresh.addInitScript(() => {
          const forbid = {
            get() {
              throw new DOMException("denied", "SecurityError");
            },
          };
          Object.defineProperty(window, "localStorage", forbid);
          Object.defineProperty(window, "sessionStorage", forbid);
        });
        await fresh.route(/\/assets\/PreSign-.*\.js/, (route) => {
          failsUntilMs ||= Date.now() + 200;
          return Date.now() < failsUntilMs ? route.abort() : route.continue();
        });
        await fresh.route(/\/assets\/Stats-.*\.js/, (route) => route.abort());
      },
    });
    const click = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await page.getByText("Trusted keys · from the first visit").waitFor();
    await click("Records");
    await click("Log");
    await page.locator(".standing-title", { hasText: "Seen for the first time" }).waitFor();
    expect(errors).toEqual([]);

    const failure = page.getByText("This part of the console could not be loaded");
    await click("Before you sign");
    await page.getByRole("heading", { name: "Before you sign" }).waitFor();
    await click("Records");
    await click("Statistics");
    await failure.waitFor();
    await click("Verify");
    await page.getByRole("heading", { name: "Verify", exact: true }).waitFor();
    await click("Records");
    await click("Statistics");
    await failure.waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Statistics" }).waitFor();
  });

  it("answers an unknown address with a page to a browser and a problem to a program, both 404, leads back, and asks nobody about an id that cannot exist", async ({
    visit,
  }) => {
    const ask = (path: string, accept: string) =>
      fetch(`${service.url}${path}`, { headers: { accept }, redirect: "manual" });
    const page = await ask("/nowhere", "text/html,*/*;q=0.8");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    for (const [path, accept] of [
      ["/nowhere", "*/*"],
      ["/api/v1/nowhere", "text/html"],
      ["/assets/old-1.js", "text/html"],
    ] as const) {
      const problem = await ask(path, accept);
      expect([path, problem.status]).toEqual([path, 404]);
      expect(problem.headers.get("content-type")).toContain("application/problem+json");
    }
    const moved = await ask("/receipts/inv_1/?a=b", "text/html");
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/receipts/inv_1?a=b"]);
    expect((await ask("//example.org/", "text/html")).status).toBe(404);
    const { page: shown, requests } = await visit("/nowhere");
    await shown.getByRole("heading", { name: "There is no such page" }).waitFor();
    await goTo(shown, "/capabilities/no.such.guard");
    await shown.getByText("No capability is called no.such.guard").waitFor();
    await shown.getByRole("link", { name: "The catalog" }).click();
    await shown.getByRole("heading", { name: "What you can ask" }).waitFor();
    await goTo(shown, "/capabilities/tx.preflight");
    await shown.waitForURL("**/capabilities/transaction.intent.guard");
    await shown.getByRole("heading", { name: "What does this transaction do?" }).waitFor();
    for (const [path, title] of [
      ["/receipts/no%20id!", "Receipt"],
      ["/evidence/sha256:12", "Evidence"],
      ["/publishers/0x12", "Publisher"],
      ["/claims/0x12", "Claim"],
    ] as const) {
      await goTo(shown, path);
      await shown.getByRole("heading", { name: title, level: 1 }).waitFor();
      await shown.getByText("This link is not valid").waitFor();
    }
    const asked = requests.filter((request) =>
      /\/api\/v1\/(receipts|evidence|publishers|claims)/.test(request.url()),
    );
    expect(asked).toEqual([]);
  });
});
