import { capabilities, createClient } from "@assay/client";
import type { Page } from "playwright-core";
import { getAddress } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chooseWallet } from "../testing/chooseWallet.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { keepAnswer } from "../testing/keepAnswer.js";
import { overflowOf } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { DESK, openTab, PHONE, type Tab } from "../testing/openTab.js";
import { hurryUntil, passTime } from "../testing/passTime.js";
import { payOnPage } from "../testing/payOnPage.js";
import { service } from "../testing/service.js";

/** Every kind of field is in one of these; the forms are otherwise the same, and axe is slow. */
const WIDEST = ["transaction.intent.guard", "chain.snapshot", "web.compile", "amm.v4.hook.guard"];
/** A contract that no other test asks about. */
const OWN = "beacon";
/** The answers that take most room, with samples of the local chain. */
const LONGEST = [
  ["token.launch.guard", "honeypotToken"],
  ["message.intent.guard", "Pay everything by signature"],
  ["amm.v4.hook.guard", "Hook that takes a tenth"],
  ["rwa.market.guard", "permissionedToken"],
] as const;

interface LocalSamples {
  readonly samples: Readonly<
    Record<string, readonly { readonly name: string; readonly input: Record<string, string> }[]>
  >;
}

const payButton = (page: Page) => page.getByRole("button", { name: /^Pay and ask/ });
const verdictOf = (page: Page) => page.getByTestId("verdict");

describe.runIf(findChromium())("a capability's page", () => {
  /** One visitor, in the order of the tests. */
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab("/");
  });
  afterEach(() => tab?.page.unrouteAll({ behavior: "ignoreErrors" }));
  afterAll(() => tab?.close());

  it("sells a verdict in two clicks from a fresh start, then offers it at the price of reuse, and shows it without a barrier in either theme", async () => {
    const { page, errors, requests } = tab;
    await page.getByRole("button", { name: "Try it now" }).click();
    await payOnPage(page);
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REVIEW");
    expect(await page.getByTestId("validity").innerText()).toMatch(
      /^Holds for \d+ blocks?, about \d+ s, until block \d+\./,
    );
    // Before the answer ends, and its price with it.
    const price = page.getByRole("region", { name: "Price and payment" });
    await price.getByText("Somebody asked the same just now").waitFor();
    expect(await price.innerText()).toContain("$0.02");
    const answer = page.getByRole("article", { name: "Answer of contract.guard" });
    expect(await answer.innerText()).toContain("The contract is an upgradeable proxy (ERC-1967).");
    expect(await answer.innerText()).toMatch(
      /can replace this contract's code\.[\s\S]*Who has power over it[\s\S]*To be checked by you[\s\S]*PROXY_EIP1967[\s\S]*In its favour, or neutral/,
    );
    expect(await answer.innerText()).toContain("Everything asked for was answered.");
    expect(await listBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await listBarriers(page, { onlyColours: true })).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2_500);
    await page.setViewportSize(DESK);
    expect(errors).toEqual([]);
    const origins = new Set(requests.map((request) => new URL(request.url()).origin));
    expect([...origins]).toEqual([service.url]);
  });

  it("counts an answer down, and never lets one that has ended hold again, or one of another chain hold at all", async () => {
    const { page } = tab;
    // Nobody else has bought it, so it has all of its time.
    const address = service.contract(OWN);
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    const { answer } = await client.call("contract.guard", { address });
    const { computedAtBlock, validUntilBlock } = answer.result;
    let headBlock = computedAtBlock;
    await page.route("**/api/v1/health", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), headBlock, blockTimeMs: 2_000 } });
    });
    await goTo(page, "/verify");
    await hurryUntil(page, page.getByText(`Ready · block ${headBlock}`));
    await keepAnswer(page, answer);
    await goTo(page, `/capabilities/contract.guard?address=${address}`);
    await page.getByText(/^Holds for/).waitFor();
    const blocksLeft = async () =>
      Number(/^Holds for (\d+)/.exec(await page.getByTestId("validity").innerText())?.[1] ?? 0);
    const first = await blocksLeft();
    headBlock += 1;
    await passTime(page, 2_000);
    await expect.poll(blocksLeft).toBe(first - 1);
    headBlock = validUntilBlock + 1;
    const over = page.getByText("No longer holds.");
    await hurryUntil(page, over);
    headBlock = computedAtBlock;
    await page.reload();
    await over.waitFor();
    // Further behind than one process may be behind another, which is 10 s.
    headBlock = computedAtBlock - 6;
    const foreign = page.getByText("This answer is of another chain or another service");
    // A head counts once it is surely newer than the answer.
    await passTime(page, 3_000);
    await hurryUntil(page, foreign);
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await foreign.waitFor();
    expect(await page.getByTestId("validity").count()).toBe(1);
    // What was bought and asked is kept over a reload of the tab.
    await verdictOf(page).waitFor();
    expect(await page.getByRole("textbox", { name: "address" }).inputValue()).toMatch(/^0x/);
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

  it("does not let an answer pass for one to other input", async () => {
    const { page } = tab;
    const warning = page.getByText("This answer is about other input than the form holds now.");
    expect(await warning.count()).toBe(0);
    await page.getByRole("button", { name: "plain token" }).click();
    await warning.waitFor();
    const answer = page.getByRole("article", { name: "Answer of contract.guard" });
    expect(await answer.innerText()).toMatch(/^This answer is about other input/);
    expect(await answer.locator(".verdict-past").count()).toBe(1);
    await page.getByRole("textbox", { name: "address" }).fill(service.contract(OWN));
    await warning.waitFor({ state: "hidden" });
  });

  it("names a broken field and its rule as the service does, doubts a wrong checksum, and shows what only the service can refuse", async () => {
    const { page, requests } = tab;
    await goTo(page, "/capabilities/contract.guard");
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

    // An address whose capitals are not its checksum is asked about all the same.
    const proxy = getAddress(service.contract("beaconProxy"));
    const doubt = page.getByText("The capital letters do not match the checksum of this address");
    for (const spelled of [proxy, proxy.toLowerCase()]) {
      await field.fill(spelled);
      await page
        .getByRole("region", { name: "Price and payment" })
        .getByText(/^\$0\.\d\d$/)
        .waitFor();
      expect(await doubt.count()).toBe(0);
    }
    const last = proxy.search(/[a-f](?=[^a-f]*$)/);
    await field.fill(`${proxy.slice(0, last)}${proxy.charAt(last).toUpperCase()}${proxy.slice(last + 1)}`);
    await doubt.waitFor();
    await page
      .getByRole("region", { name: "Price and payment" })
      .getByText(/^\$0\.\d\d$/)
      .waitFor();

    await goTo(page, "/capabilities/amm.swap.guard");
    const to = page.getByRole("textbox", { name: "to", exact: true });
    await to.fill(service.contract("plainToken"));
    await to.blur();
    await page.locator(".field-error", { hasText: "to is not a router that this guard supports" }).waitFor();
  });

  it("shows one of the fields that exclude each other, and sends no other", async () => {
    const { page } = tab;
    await goTo(page, "/capabilities/message.intent.guard");
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    const choice = (name: string) => page.getByRole("radio", { name, exact: true });
    await page.getByRole("button", { name: "Sign in" }).click();
    await choice("personal message").and(page.locator(":checked")).waitFor();
    expect(await box("personal message").inputValue()).not.toBe("");
    await page
      .getByRole("region", { name: "Price and payment" })
      .getByText(/^\$0\.\d\d$/)
      .waitFor();
    await choice("calls").check();
    expect(await box("personal message").count()).toBe(0);
    expect(await box("calls").inputValue()).toBe("");
    await box("calls").focus();
    await box("calls").blur();
    await page.getByText("calls is required").waitFor();
    await box("calls").fill("[]");
    await page.getByText("calls must hold at least one call").waitFor();
    await choice("personal message").check();
    expect(await box("personal message").inputValue()).toBe("");
  });

  it("keeps the longest answers within 2,500 pixels on a phone", async () => {
    const { page } = tab;
    const { samples } = (await (await fetch(`${service.url}/devnet.json`)).json()) as LocalSamples;
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [id, name] of LONGEST) {
      const { input = {} } = samples[id]?.find((sample) => sample.name === name) ?? {};
      const { answer } = await client.call(id, input as never);
      await keepAnswer(page, answer);
      await goTo(page, `/capabilities/${id}?${new URLSearchParams(input)}`);
      const article = page.getByRole("article", { name: `Answer of ${id}` });
      await article.getByText(/^Everything asked for was answered|^What could not be read/).waitFor();
      await article.getByRole("button", { name: "Verify in this browser" }).waitFor();
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      expect([id, height]).toEqual([id, Math.min(height, 2_500)]);
    }
    await page.setViewportSize(DESK);
  });

  it("sends the same payment again after its answer was lost, and is charged once", async () => {
    const { page } = tab;
    // Nobody else buys an answer about it, and nothing earns the wallet credit: both would lower the price.
    await chooseWallet(page, "ivan");
    await page.evaluate(() => sessionStorage.removeItem("assay.answer.contract.guard"));
    await goTo(page, `/capabilities/contract.guard?address=${service.contract("eip1822Proxy")}`);
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
    // The page that sent it is gone before payments pass again: it sends once more by itself.
    await page.reload();
    await page.getByText("It is not known whether $0.10 was charged").waitFor();
    await page.unroute(isPayment);
    expect(await payButton(page).count()).toBe(0);
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await verdictOf(page).waitFor();
    expect(before - (await service.balanceOf(ivan))).toBe(charged);
    expect(await page.getByText("It is not known whether").count()).toBe(0);
  });

  it("shows the page that web.compile read as text, and offers what was bought where it is asked for", async () => {
    const { page } = tab;
    await chooseWallet(page, undefined);
    await goTo(page, "/capabilities/web.compile");
    const price = page.getByRole("region", { name: "Price and payment" });
    await price.getByText("Choose a wallet to see the exact price.").waitFor();
    await chooseWallet(page, "erin");
    await payOnPage(page);
    await verdictOf(page).waitFor();
    const text = page.getByRole("region", { name: "The page as Markdown" });
    expect(await text.innerText()).toContain("# How a lighthouse keeps time");
    expect(await text.locator("h1, a, img, script").count()).toBe(0);
    await page.getByRole("button", { name: "Pay and ask again" }).waitFor();
    await goTo(page, "/receipts");
    await page.locator(".bought").getByRole("link", { name: "web.compile" }).waitFor();
    await goTo(page, "/capabilities/evidence.artifact");
    await page.getByRole("button", { name: "Your answer of web.compile" }).click();
    expect(await page.getByRole("textbox", { name: "artifact id" }).inputValue()).toMatch(/^sha256:/);
  });

  it("has a form for each capability of the catalog, without a barrier, on a phone", async () => {
    const { page, errors } = tab;
    const before = errors.length;
    await page.setViewportSize(PHONE);
    await goTo(page, "/");
    const links = await Promise.all(
      capabilities.map(({ title }) =>
        page.getByRole("link", { name: title, exact: true }).getAttribute("href"),
      ),
    );
    for (const [place, { id, title }] of capabilities.entries()) {
      await goTo(page, links[place] ?? "");
      await page.getByRole("heading", { name: title, exact: true }).waitFor();
      // Where an answer stands below it, the question is folded.
      const fold = page.locator(".phone-fold:not(.phone-fold-off) > summary", { hasText: "The question" });
      if ((await fold.count()) > 0) await fold.click();
      await page.getByRole("region", { name: "Input" }).waitFor();
      expect([id, await overflowOf(page)]).toEqual([id, 0]);
      if (WIDEST.includes(id)) expect([id, await listBarriers(page)]).toEqual([id, []]);
    }
    expect(errors.slice(before)).toEqual([]);
  });
});
