import { readdirSync } from "node:fs";
import { capabilities, createClient } from "@assay/client";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { overflowOf, shiftOf, watchShifts } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { DESK, openTab, PHONE, type Tab } from "../testing/openTab.js";
import { forgetFetched, hurryUntil } from "../testing/passTime.js";
import { service } from "../testing/service.js";

const recordedPaths = readdirSync(`${import.meta.dirname}/../../../client/src/testing/saved`)
  .filter((file) => file !== "assay.json")
  .map((file) => `/recorded/${file.replace(/\.json$/, "")}`);

/** Whether each page is loaded with the document, which is slow, or as the console's own links show it. */
const isEachLoaded = process.env.ASSAY_EVERY_LOAD === "1";

describe.runIf(findChromium())("the log and other pages of records", () => {
  const buy = async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    return (await client.call("chain.snapshot", {})).answer;
  };
  /** One visitor, in the order of the tests. */
  let tab: Tab;
  beforeAll(async () => {
    // So that the log has an entry and the statistics a call.
    await buy();
    tab = await openTab("/receipts", { prepare: watchShifts });
  });
  afterEach(() => tab?.page.unrouteAll({ behavior: "ignoreErrors" }));
  afterAll(() => tab?.close());

  const wanted = (address: string) => ({
    capabilityId: "contract.guard",
    network: "eip155:8453",
    inputHash: `sha256:${address.slice(2, 4).repeat(32)}`,
    input: { address },
    misses: 1,
    lastMissAt: "2026-01-01T00:00:00.000Z",
    seederEconomics: {
      dividendPerSettledReusePct: 20,
      dividendPerSettledReuseUsd: 0.004,
      lifetimeCapUsd: 5,
      rewardKind: "non_transferable_credits",
    },
    fulfillment: "publish",
    fulfillmentEndpoint: "/api/v1/artifacts/publish",
    publishEndpoint: "/api/v1/artifacts/publish",
  });
  /** Goes to a page that fetches nothing; the page for verifying loads the whole verifier. */
  const leave = async (page: Page) => {
    await goTo(page, "/nowhere");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  };
  /** Leaves the page, and shows it as to a visitor who comes for the first time. */
  const showAgain = async (page: Page, path: string) => {
    await leave(page);
    await forgetFetched(page);
    await goTo(page, path);
  };
  /** Shows the log to a visitor who saw this head last. */
  const showAfter = async (page: Page, seen: object | null) => {
    await leave(page);
    await page.evaluate((head) => {
      const place = "assay.log-head";
      const known = JSON.parse(localStorage.getItem(place) ?? "{}");
      if (head) localStorage.setItem(place, JSON.stringify({ ...known, ...head }));
      else localStorage.removeItem(place);
    }, seen);
    await goTo(page, "/log");
  };

  it("say that the service cannot be reached or is not available, and offer to try again", async () => {
    let isAway = true;
    const { page } = tab;
    await page.route(/\/api\/v1\/(capabilities\/stats|claims|bounties|log\/checkpoint)/, (route) =>
      isAway ? route.abort() : route.continue(),
    );
    for (const path of ["/stats", "/claims", "/bounties", "/log", "/obligations"]) {
      isAway = true;
      // Claims and obligations are one list to the service, which a page does not fetch twice.
      await showAgain(page, path);
      await hurryUntil(page, page.getByText("The service cannot be reached").first());
      isAway = false;
      await page.getByRole("button", { name: "Try again" }).first().click();
      await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
    }
    // Nor is a proxy's page an answer of the service.
    await page.unrouteAll();
    await page.route("**/api/v1/capabilities/stats", (route) =>
      route.fulfill({ status: 502, body: "<html>" }),
    );
    await showAgain(page, "/stats");
    const absence = page.getByText("The service is not available just now");
    await absence.waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await absence.waitFor({ state: "detached" });
  });

  it("have no barrier that axe calls serious, fit a phone and do not jump while they fill", async () => {
    const { page, errors } = tab;
    const before = errors.length;
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: "dark" });
    const publisher = `/publishers/${service.wallet("alice").address}`;
    for (const path of [
      "/receipts",
      "/evidence",
      "/claims",
      "/obligations",
      "/bounties",
      publisher,
      "/log",
      ...(isEachLoaded ? recordedPaths : []),
    ]) {
      await leave(page);
      await forgetFetched(page);
      const shifted = await shiftOf(page);
      if (isEachLoaded) await page.goto(`${service.url}${path}`);
      else await goTo(page, path);
      await page.locator("main h1").waitFor();
      await page.locator("main .loading").waitFor({ state: "detached" });
      if (path.startsWith("/recorded/"))
        await page.locator(".verdict-checking").waitFor({ state: "detached" });
      await page.waitForLoadState("networkidle");
      expect([path, (await shiftOf(page)) - (isEachLoaded ? 0 : shifted)]).toEqual([
        path,
        expect.closeTo(0, 1),
      ]);
      expect([path, await listBarriers(page)]).toEqual([path, []]);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    expect(errors.slice(before)).toEqual([]);
    await page.setViewportSize(DESK);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("remember the head they saw, ask for proof that the log still begins with it, and prove an entry named by its address", async () => {
    const { page, errors } = tab;
    const before = errors.length;
    await showAfter(page, null);
    await page.getByText("Seen for the first time", { exact: true }).waitFor();
    await buy();
    await page.getByRole("button", { name: "Ask for the newest head" }).click();
    await page.getByText("Its past is unchanged").waitFor();
    expect(await page.getByText(/it begins with the \d+ entries seen last/).count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
    await goTo(page, "/");
    await goTo(page, "/log?entry=0");
    await page.getByText(/hashes lead from it to the root above/).waitFor();
    await goTo(page, "/");
    await goTo(page, "/log?entry=999999");
    await page.getByText("The log has no entry 999999").waitFor();
    expect(errors.slice(before)).toEqual([]);
  });

  it("list its entries in words, find them by what they are about, and prove what they show", async () => {
    const { invocationId } = await buy();
    const { page, errors } = tab;
    const before = errors.length;
    await showAfter(page, null);
    const entries = page.locator(".entry-row");
    await entries.first().waitFor();
    expect(await page.locator(".entries").innerText()).not.toContain(invocationId);
    await page.getByLabel(/^Number, receipt id/).fill(invocationId);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("button", { name: "Show all" }).waitFor();
    await page.locator(".entry-row:only-child").getByText("A paid answer").waitFor();
    await page.getByText("Prove it").click();
    await page.getByText(/hashes lead from it to the root above|It is newer than the head/).waitFor();
    expect(await listBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Show all" }).click();
    const kinds = page.locator(".entry-kinds select");
    await kinds.selectOption({ label: "Claims" });
    const claim = page.locator(".entry-row", { hasText: "This is the code of 0x4200…0006" }).first();
    await claim.waitFor();
    // The service says of a leaf what the leaf does not say.
    await page.route("**/log/entries.json*", async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.replaceAll("obligation", "claim") });
    });
    await showAgain(page, "/log");
    await kinds.selectOption({ label: "Claims" });
    await claim.getByText("Prove it").click();
    await page.getByText("its path does not lead to the root above").waitFor();
    await page.unrouteAll();
    expect(errors.slice(before)).toEqual([]);
  });

  it("show thirty days of health, and that nothing is known of the days before the service", async () => {
    const { page, errors } = tab;
    const before = errors.length;
    await showAgain(page, "/status");
    await page.getByText("Everything works").waitFor();
    await page.locator(".health-day").nth(29).waitFor();
    expect(await page.locator(".health-day").count()).toBe(30);
    await page.getByText("As a table").click();
    expect(await page.getByText("not running yet").count()).toBeGreaterThan(28);
    expect(await listBarriers(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize(DESK);
    expect(errors.slice(before)).toEqual([]);
  });

  it("raise an alarm when the log is not the one they saw, and neither trust nor remember an unsigned head", async () => {
    const { page } = tab;
    await showAfter(page, { root: `0x${"11".repeat(32)}`, size: 1 });
    const alarm = page.getByRole("alert").filter({ hasText: "The log cannot be trusted" });
    await alarm.waitFor();
    expect(await alarm.innerText()).toContain("its past was rewritten");
    expect(await listBarriers(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await showAfter(page, { size: 1_000_000 });
    await page.getByText("The log had 1000000 entries when last seen").waitFor();
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize(DESK);

    const publicKey = `${"A".repeat(43)}=`;
    await showAfter(page, { size: 1, publicKey });
    await page.getByText(`The log was signed by ${publicKey} when last seen`).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("assay.log-head"))).toContain(publicKey);

    await page.route("**/api/v1/log/checkpoint", async (route) => {
      const response = await route.fetch();
      const [origin, size, ...rest] = (await response.text()).split("\n");
      await route.fulfill({ response, body: [origin, Number(size) + 1, ...rest].join("\n") });
    });
    await showAfter(page, null);
    await page.getByText("The checkpoint is not signed by the log's key.").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("assay.log-head"))).toBeNull();
  });

  it("say that no call was settled, draw thirty days once one was, and fit their tables to a phone", async () => {
    const { page, errors } = tab;
    const before = errors.length;
    await page.route("**/api/v1/capabilities/stats", async (route) => {
      const response = await route.fetch();
      const stats = await response.json();
      // On the local chain no agent is real.
      await route.fulfill({ response, json: { ...stats, simulated: stats.agents } });
    });
    await showAgain(page, "/stats");
    await page.getByText("No call was settled in these days").waitFor();
    await page.unrouteAll();
    // Every capability has a row, whatever was sold before this test.
    await page.route("**/api/v1/capabilities/stats", async (route) => {
      const response = await route.fetch();
      const stats = await response.json();
      const [row] = stats.simulated.byCapability;
      const byCapability = capabilities.map(({ id }) => ({ ...row, capabilityId: id }));
      await route.fulfill({ response, json: { ...stats, simulated: { ...stats.simulated, byCapability } } });
    });
    await showAgain(page, "/stats");
    await page.locator(".chart canvas").first().waitFor();
    expect(await page.locator(".chart canvas").count()).toBe(3);
    await page.getByText("As a table").first().click();
    expect(await page.locator(".chart").first().locator("tbody tr").count()).toBe(30);
    expect(await listBarriers(page)).toEqual([]);
    expect(errors.slice(before)).toEqual([]);

    // On a phone a table shows that it goes on, on either side, and aligns its figures.
    await page.setViewportSize(PHONE);
    const table = page.getByRole("region", { name: "By capability" });
    await table.waitFor();
    await page.locator('[aria-label="By capability"][data-more=end]').waitFor();
    await table.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await page.locator('[aria-label="By capability"][data-more=start]').waitFor();
    const cell = table.locator("tbody td").first();
    expect(await cell.evaluate((element) => getComputedStyle(element).textAlign)).toBe("end");
    await page.setViewportSize(DESK);
    await page.locator('[aria-label="By capability"]:not([data-more])').waitFor();
  });

  it("fetch everything again once the chain starts over or the service is back, and say over what they show that it is away", async () => {
    let isOther = false;
    const { page, requests } = tab;
    await page.route("**/api/v1/health", async (route) => {
      const response = await route.fetch();
      const health = await response.json();
      await route.fulfill({ response, json: { ...health, headBlock: isOther ? 1 : health.headBlock } });
    });
    await showAfter(page, null);
    await page.getByText("Seen for the first time", { exact: true }).waitFor();
    await page.getByText(/^Ready · block \d/).waitFor();
    isOther = true;
    await hurryUntil(page, page.getByText("Its past is unchanged"));
    await page.getByRole("link", { name: "Statistics", exact: true }).click();
    await page.getByText("Whose calls").waitFor();
    const countAsked = () => requests.filter((request) => request.url().endsWith("/stats")).length;
    await page.unrouteAll({ behavior: "wait" });
    const asked = countAsked();
    const notice = page.locator("main").getByText("The service does not answer");
    const shifted = await shiftOf(page);
    // The browser knows that it is online: only the service is silent.
    await page.route("**/api/**", (route) => route.abort());
    await hurryUntil(page, notice);
    expect(countAsked()).toBe(asked);
    expect((await shiftOf(page)) - shifted).toBeLessThan(0.01);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await hurryUntil(page, notice, "detached");
    expect((await shiftOf(page)) - shifted).toBeLessThan(0.01);
    await expect.poll(countAsked).toBeGreaterThan(asked);
    await goTo(page, "/claims");
    await page.getByText("Any claim by its id").waitFor();
    await page.context().setOffline(true);
    await hurryUntil(page, notice);
    await page.context().setOffline(false);
    await hurryUntil(page, notice, "detached");
  });

  it("loads the bounties only once the chosen wallet is known, so that its list pushes nothing", async ({
    visit,
  }) => {
    for (const isPhone of isEachLoaded ? [false, true] : [true]) {
      const { page, requests } = await visit("/bounties", {
        ...{ isPhone, wallet: "carol" },
        prepare: async (fresh) => {
          await watchShifts(fresh);
          await fresh.route("**/api/v1/bounties*", async (route) => {
            const response = await route.fetch();
            const isAttested = route.request().headers()["x-agent-wallet"] !== undefined;
            const bounties = ["11", "22", "33", "44"].map((byte) => wanted(`0x${byte.repeat(20)}`));
            await route.fulfill({
              response,
              json: { ...(await response.json()), bounties: isAttested ? bounties : [] },
            });
          });
          // The wallet is known only after a list for anybody could have been drawn.
          const isDrawn = fresh.getByRole("heading", { name: "Bounties" }).waitFor();
          const isHealthy = fresh.waitForResponse("**/api/v1/health");
          await fresh.route("**/devnet.json", async (route) => {
            const response = await route.fetch();
            await Promise.all([isDrawn, isHealthy]);
            await route.fulfill({ response });
          });
        },
      });
      await page.getByText("Publish its fingerprint").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await shiftOf(page)).toBeLessThan(0.05);
      const asked = requests.filter((request) => request.url().includes("/api/v1/bounties"));
      expect(asked.map((request) => request.headers()["x-agent-wallet"] !== undefined)).toEqual([true]);
    }
  });
});
