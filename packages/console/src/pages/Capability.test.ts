import { capabilities } from "@assay/client";

import type { Page } from "playwright-core";
import { getAddress } from "viem";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { chooseWallet } from "../testing/chooseWallet.js";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { overflowOf } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { openTab, type Tab } from "../testing/openTab.js";
import { service } from "../testing/service.js";

/** Every kind of field is in one of these; the forms are otherwise the same, and axe is slow. */
const WIDEST = ["transaction.intent.guard", "chain.snapshot", "web.compile", "amm.v4.hook.guard"];
const payButton = (page: Page) => page.getByRole("button", { name: /^Pay and ask/ });
const verdictOf = (page: Page) => page.getByTestId("verdict");

describe.runIf(findChromium())("a capability's page", () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab("/");
  });
  afterAll(() => tab?.close());

  it("sells a verdict in two clicks from a fresh start", async () => {
    const { page, errors } = tab;
    await page.getByRole("button", { name: "Try it now" }).click();
    await payButton(page).click();
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REVIEW");
    expect(await page.getByTestId("validity").innerText()).toMatch(
      /^Holds for \d+ blocks?, about \d+ s, until block \d+\./,
    );
    const answer = page.getByRole("article", { name: "Answer of contract.guard" });
    expect(await answer.innerText()).toContain("The contract is an upgradeable proxy (ERC-1967).");
    expect(await answer.innerText()).toMatch(
      /Reasons to review[\s\S]*PROXY_EIP1967[\s\S]*Also found[\s\S]*CODE_PRESENT/,
    );
    expect(await answer.innerText()).toContain("Everything that was asked for was answered.");
    expect(errors).toEqual([]);
  });

  it("then offers the answer to the next caller at the price of reuse", async () => {
    const { page } = tab;
    const price = page.getByRole("region", { name: "Price and payment" });
    await price.getByText("cache hit").waitFor();
    expect(await price.innerText()).toContain("$0.02");
  });

  it("counts an answer down to its end and says that it no longer holds", async () => {
    const { page } = tab;
    await page.getByText("No longer holds.").waitFor({ timeout: 80_000 });
  }, 90_000);

  it("never lets an answer that has ended hold again, or one of another chain hold at all", async () => {
    const { page } = tab;
    const computedAtBlock = await page.evaluate(
      () =>
        JSON.parse(sessionStorage.getItem("assay.answer.contract.guard") ?? "").answer.result.computedAtBlock,
    );
    const setHead = (headBlock: number) =>
      page.route("**/api/v1/health", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), headBlock } });
      });
    await setHead(computedAtBlock);
    await page.reload();
    await page.getByText("No longer holds.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    // Further behind than one process may be behind another.
    await setHead(computedAtBlock - 6);
    const foreign = page.getByText("This answer is of another chain or another service");
    await foreign.waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await foreign.waitFor();
    expect(await page.getByTestId("validity").count()).toBe(1);
  });

  it("shows evidence, raw JSON and the same call to copy", async () => {
    const { page } = tab;
    await page.getByText("The same call from a terminal or from code").click();
    await page.getByRole("button", { name: "Copy Command line" }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain("npx assay call contract.guard");
    expect(copied).toContain(`--url ${service.url}`);
    await page.getByText("All evidence").click();
    await page.getByText("readings", { exact: true }).click();
    await page.getByText("slots", { exact: true }).first().waitFor();
  });

  it("keeps a bought answer over a reload of the tab", async () => {
    const { page } = tab;
    await page.reload();
    await verdictOf(page).waitFor();
    expect(await page.getByRole("textbox", { name: "address" }).inputValue()).toMatch(/^0x/);
  });

  it("does not let an answer pass for one to other input", async () => {
    const { page } = tab;
    const warning = page.getByText("This answer is about other input than the form holds now.");
    expect(await warning.count()).toBe(0);
    await page.getByRole("button", { name: "plainToken" }).click();
    await warning.waitFor();
    const answer = page.getByRole("article", { name: "Answer of contract.guard" });
    expect(await answer.innerText()).toMatch(/^This answer is about other input/);
    expect(await answer.locator(".verdict-past").count()).toBe(1);
    await page.getByRole("button", { name: "upgradeableProxy" }).click();
    await warning.waitFor({ state: "hidden" });
  });

  it("shows the price before a wallet is chosen, and how long a quote is valid once one is", async ({
    visit,
  }) => {
    // Nobody else buys an answer about it, which would lower the price.
    const token = service.contract("bytes32Token");
    const { page } = await visit(`/capabilities/token.metadata?address=${token}`);
    const price = page.getByRole("region", { name: "Price and payment" });
    await price.getByText("$0.03", { exact: true }).waitFor();
    await price.getByText("cache miss").waitFor();
    expect(await payButton(page).count()).toBe(0);
    await price.getByRole("button", { name: "Choose a wallet to pay" }).click();
    await page.getByLabel(/^Test wallet/).selectOption("bob");
    await page.keyboard.press("Escape");
    await price.getByText(/The price is valid for [1-6]?\d s\./).waitFor();
    expect(await price.innerText()).toContain("play money");
  });

  it("renews a price that has run out instead of paying it", async ({ visit }) => {
    const token = service.contract("plainToken");
    const { page } = await visit(`/capabilities/contract.interface?address=${token}`, {
      ...{ wallet: "bob", isCold: true },
      prepare: (fresh) => fresh.clock.install(),
    });
    await page.getByText(/The price is valid for/).waitFor();
    await page.clock.fastForward(61_000);
    await page.getByText("This price has expired.").waitFor();
    expect(await payButton(page).count()).toBe(0);
    await page.getByRole("button", { name: "Renew the price" }).waitFor();
  });

  it("names a broken field and its rule as the service does, before anything is asked", async ({ visit }) => {
    const { page, requests } = await visit("/capabilities/contract.guard");
    const field = page.getByRole("textbox", { name: "address" });
    await field.fill("0x12");
    await field.blur();
    await page.getByText("address must be 0x followed by 40 hex digits").waitFor();
    const refused = await fetch(`${service.url}/api/v1/capabilities/contract.guard/invoke?address=0x12`);
    const { errors } = (await refused.json()) as { errors: { field: string; rule: string }[] };
    expect(errors).toEqual([{ field: "address", rule: "must be 0x followed by 40 hex digits" }]);
    await field.fill("");
    await page.getByText("address is required").waitFor();
    expect(requests.filter((request) => request.url().includes("0x12"))).toEqual([]);
  });

  it("doubts an address whose capitals are not its checksum, and asks about it all the same", async ({
    visit,
  }) => {
    const { page } = await visit("/capabilities/contract.guard");
    const field = page.getByRole("textbox", { name: "address" });
    const proxy = getAddress(service.contract("beaconProxy"));
    const doubt = page.getByText("The capital letters do not match the checksum of this address");
    for (const spelled of [proxy, proxy.toLowerCase()]) {
      await field.fill(spelled);
      await page.getByText(/^\$0\.\d\d$/).waitFor();
      expect(await doubt.count()).toBe(0);
    }
    const last = proxy.search(/[a-f](?=[^a-f]*$)/);
    await field.fill(`${proxy.slice(0, last)}${proxy.charAt(last).toUpperCase()}${proxy.slice(last + 1)}`);
    await doubt.waitFor();
    await page.getByText(/^\$0\.\d\d$/).waitFor();
  });

  it("shows under its field what only the service can refuse", async ({ visit }) => {
    const { page } = await visit("/capabilities/amm.swap.guard", { wallet: "bob" });
    const to = page.getByRole("textbox", { name: "to", exact: true });
    await to.fill(service.contract("plainToken"));
    await to.blur();
    await page.locator(".field-error", { hasText: "to is not a router that this guard supports" }).waitFor();
  });

  it("sends the same payment again after its answer was lost, and is charged once", async ({ visit }) => {
    // Nobody else buys an answer about it, and nothing earns the wallet credit: both would lower the price.
    const proxy = service.contract("eip1822Proxy");
    const { page } = await visit(`/capabilities/contract.guard?address=${proxy}`, { wallet: "ivan" });
    const ivan = service.wallet("ivan").address;
    const before = await service.balanceOf(ivan);
    let arrived = 0;
    const isPayment = (url: URL) => url.pathname.endsWith("/invoke");
    await page.route(isPayment, async (route) => {
      if (!route.request().headers()["payment-signature"]) return route.continue();
      // It reaches the service, which charges it; the answer is lost on the way back.
      await route.fetch();
      arrived += 1;
      await route.abort();
    });
    await payButton(page).click();
    await expect.poll(() => arrived, { timeout: 30_000 }).toBeGreaterThan(0);
    const charged = before - (await service.balanceOf(ivan));
    expect(charged).toBe(100_000n);
    await page.unroute(isPayment);
    await page.reload();
    await page.getByText("It is not known whether $0.10 was charged").waitFor();
    expect(await payButton(page).count()).toBe(0);
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await verdictOf(page).waitFor();
    expect(before - (await service.balanceOf(ivan))).toBe(charged);
    expect(await page.getByText("It is not known whether").count()).toBe(0);
  });

  it("shows the page that web.compile read as text, and offers what was bought where it is asked for", async ({
    visit,
  }) => {
    const { page } = await visit("/capabilities/web.compile");
    const price = page.getByRole("region", { name: "Price and payment" });
    await price.getByText("Choose a wallet to see the exact price.").waitFor();
    await chooseWallet(page, "erin");
    await payButton(page).click();
    await verdictOf(page).waitFor();
    const text = page.getByRole("region", { name: "The page as Markdown" });
    expect(await text.innerText()).toContain("# How a lighthouse keeps time");
    expect(await text.locator("h1, a, img, script").count()).toBe(0);
    await page.getByRole("button", { name: "Pay and ask again" }).waitFor();
    await page.goto(`${service.url}/receipts`);
    await page.locator(".bought").getByRole("link", { name: "web.compile" }).waitFor();
    await page.goto(`${service.url}/capabilities/evidence.artifact`);
    await page.getByRole("button", { name: "Your answer of web.compile" }).click();
    expect(await page.getByRole("textbox", { name: "artifactId" }).inputValue()).toMatch(/^sha256:/);
  });

  it("lets nobody pay while the service is down", async ({ visit }) => {
    const { page } = await visit("/capabilities/chain.snapshot", { wallet: "erin" });
    await page.getByText(/The price is valid for/).waitFor();
    expect(await payButton(page).isEnabled()).toBe(true);
    await page.context().setOffline(true);
    await page.getByText("Paying waits until it does.").waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
  });

  it("has a form for each capability of the catalog, without a barrier, on a phone", async ({ visit }) => {
    const { page, errors } = await visit("/", { isPhone: true });
    for (const { id } of capabilities) {
      await page.getByRole("link", { name: id, exact: true }).click();
      await page.getByRole("heading", { name: id, exact: true }).waitFor();
      await page.getByRole("region", { name: "Input" }).waitFor();
      expect([id, await overflowOf(page)]).toEqual([id, 0]);
      if (WIDEST.includes(id)) expect([id, await listBarriers(page)]).toEqual([id, []]);
      await page.goBack();
    }
    expect(errors).toEqual([]);
  }, 180_000);

  it("shows an answer without a barrier in either theme, asking nobody else", async ({ visit }) => {
    for (const isDark of [false, true]) {
      const { page, requests } = await visit("/", { isPhone: !isDark, isDark });
      await page.getByRole("button", { name: "Try it now" }).click();
      await payButton(page).click();
      await verdictOf(page).waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(await listBarriers(page)).toEqual([]);
      const origins = new Set(requests.map((request) => new URL(request.url()).origin));
      expect([...origins]).toEqual([service.url]);
    }
  });
});
