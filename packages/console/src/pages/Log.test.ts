import { createClient } from "@assay/client";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { overflowOf, shiftOf, watchShifts } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { DESK, PHONE } from "../testing/openTab.js";
import { service } from "../testing/service.js";

describe.runIf(findChromium())("the log and other pages of records", { concurrent: true }, () => {
  const buy = async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    return (await client.call("chain.snapshot", {})).answer;
  };
  // So that the log has an entry and the statistics a call.
  beforeAll(async () => {
    await buy();
  });

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
  const remember = (root: string, size: number) => async (page: Page) => {
    const { log } = await createClient({ baseUrl: service.url }).describe();
    const head = { origin: log.origin, publicKey: log.publicKey, size, root };
    await page.addInitScript((seen) => localStorage.setItem("assay.log-head", JSON.stringify(seen)), head);
  };

  it("remembers the head it saw, asks for proof that the log still begins with it, and proves an entry named by its address", async ({
    visit,
  }) => {
    const { page, errors } = await visit("/log");
    await page.getByText("Seen for the first time", { exact: true }).waitFor();
    await buy();
    await page.getByRole("button", { name: "Ask for the newest head" }).click();
    await page.getByText("Its past is unchanged").waitFor();
    expect(await page.getByText(/it begins with the \d+ entries seen last/).count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
    await goTo(page, "/");
    await goTo(page, "/log?entry=0");
    await page.getByText(/hashes lead from it to the root above/).waitFor();
    await page.getByRole("textbox", { name: /^Number, from 0/ }).fill("999999");
    await page.keyboard.press("Enter");
    await page.getByText("The log has no entry 999999").waitFor();
    expect(errors).toEqual([]);
  });

  it("raises an alarm when the log is not the one it saw, and neither trusts nor remembers an unsigned head", async ({
    visit,
  }) => {
    const { page } = await visit("/log", { prepare: remember(`0x${"11".repeat(32)}`, 1) });
    const alarm = page.getByRole("alert").filter({ hasText: "The log cannot be trusted" });
    await alarm.waitFor();
    expect(await alarm.innerText()).toContain("its past was rewritten");
    expect(await listBarriers(page)).toEqual([]);
    /** Shows the page again to a visitor who saw this head last. */
    const showAfter = async (seen: object | null) => {
      await goTo(page, "/verify");
      await page.evaluate((head) => {
        const place = "assay.log-head";
        const known = JSON.parse(localStorage.getItem(place) ?? "{}");
        if (head) localStorage.setItem(place, JSON.stringify({ ...known, ...head }));
        else localStorage.removeItem(place);
      }, seen);
      await goTo(page, "/log");
    };
    await page.setViewportSize(PHONE);
    await showAfter({ size: 1_000_000 });
    await page.getByText("The log had 1000000 entries when last seen").waitFor();
    expect(await overflowOf(page)).toBe(0);

    const publicKey = `${"A".repeat(43)}=`;
    await showAfter({ size: 1, publicKey });
    await page.getByText(`The log was signed by ${publicKey} when last seen`).waitFor();
    expect(await page.evaluate(() => localStorage.getItem("assay.log-head"))).toContain(publicKey);

    await page.route("**/api/v1/log/checkpoint", async (route) => {
      const response = await route.fetch();
      const [origin, size, ...rest] = (await response.text()).split("\n");
      await route.fulfill({ response, body: [origin, Number(size) + 1, ...rest].join("\n") });
    });
    await showAfter(null);
    await page.getByText("The checkpoint is not signed by the log's key.").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("assay.log-head"))).toBeNull();
  });

  it("says that no call was settled, draws thirty days once one was, and fits its tables to a phone", async ({
    visit,
  }) => {
    const { page, errors } = await visit("/stats", {
      prepare: async (fresh) => {
        await fresh.route("**/api/v1/capabilities/stats", async (route) => {
          const response = await route.fetch();
          const stats = await response.json();
          // On the local chain no agent is real.
          await route.fulfill({ response, json: { ...stats, simulated: stats.agents } });
        });
      },
    });
    await page.getByText("No call was settled in these days").waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.locator(".chart canvas").first().waitFor();
    expect(await page.locator(".chart canvas").count()).toBe(3);
    await page.getByText("As a table").first().click();
    expect(await page.locator(".chart").first().locator("tbody tr").count()).toBe(30);
    expect(await listBarriers(page)).toEqual([]);
    expect(errors).toEqual([]);

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

  it("fetches everything again once the chain starts over or the service is back", async ({
    expect,
    visit,
  }) => {
    let isOther = false;
    const { page, requests } = await visit("/log", {
      prepare: (fresh) =>
        fresh.route("**/api/v1/health", async (route) => {
          const response = await route.fetch();
          const health = await response.json();
          await route.fulfill({ response, json: { ...health, headBlock: isOther ? 1 : health.headBlock } });
        }),
    });
    await page.getByText("Seen for the first time", { exact: true }).waitFor();
    await page.getByText(/^Ready · block \d/).waitFor();
    isOther = true;
    await page.getByText("Its past is unchanged").waitFor();
    await page.getByRole("link", { name: "Statistics", exact: true }).click();
    await page.getByText("Whose calls").waitFor();
    const countAsked = () => requests.filter((request) => request.url().endsWith("/stats")).length;
    await page.unrouteAll({ behavior: "wait" });
    const asked = countAsked();
    await page.context().setOffline(true);
    await page.locator("main").getByText("The service does not answer").waitFor();
    expect(countAsked()).toBe(asked);
    await page.context().setOffline(false);
    await page.locator("main").getByText("The service does not answer").waitFor({ state: "detached" });
    await expect.poll(countAsked, { timeout: 20_000 }).toBeGreaterThan(asked);
  });

  it("loads the bounties only once the chosen wallet is known, so that its list pushes nothing", async ({
    visit,
  }) => {
    for (const isPhone of [false, true]) {
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

  // Claims and obligations are one list to the service, which a page does not fetch twice.
  it.for([[["/stats", "/claims", "/bounties", "/log"]], [["/obligations"]]] as const)(
    "%s say that the service cannot be reached, and offer to try again",
    async ([paths], { visit }) => {
      let isAway = true;
      const { page } = await visit("/verify", {
        prepare: (fresh) =>
          fresh.route(/\/api\/v1\/(capabilities\/stats|claims|bounties|log\/checkpoint)/, (route) =>
            isAway ? route.abort() : route.continue(),
          ),
      });
      for (const path of paths) {
        isAway = true;
        await goTo(page, path);
        await page.getByText("The service cannot be reached").first().waitFor();
        isAway = false;
        await page.getByRole("button", { name: "Try again" }).first().click();
        await page.getByText("The service cannot be reached").waitFor({ state: "detached" });
      }
    },
  );

  it.for(["/receipts", "/evidence", "/claims", "/obligations", "/bounties", "/publishers/ALICE", "/log"])(
    "%s has no barrier that axe calls serious, fits a phone and does not jump while it fills",
    async (path, { visit }) => {
      const { page, errors } = await visit(path.replace("ALICE", service.wallet("alice").address), {
        isPhone: true,
        isDark: true,
        prepare: watchShifts,
      });
      await page.locator("main h1").waitFor();
      await page.waitForLoadState("networkidle");
      expect(await shiftOf(page)).toBeLessThan(0.05);
      expect(await listBarriers(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(errors).toEqual([]);
    },
  );
});
