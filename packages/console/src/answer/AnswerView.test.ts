import { createClient } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseWallet } from "../testing/chooseWallet.js";
import { findChromium } from "../testing/findChromium.js";
import { listBarriers, type OpenedConsole, openConsole } from "../testing/openBrowser.js";

const isInvoke = (url: URL) => url.pathname.endsWith("/invoke");

describe.runIf(findChromium())("an answer on its page", () => {
  let opened: OpenedConsole;
  beforeAll(async () => {
    opened = await openConsole("/");
  });
  afterAll(() => opened?.close());

  const verdictOf = (page: Page) => page.getByTestId("verdict");
  const pay = (page: Page) => page.getByRole("button", { name: /^Pay and ask/ }).click();
  const keptAnswer = (page: Page, id: string) =>
    page.evaluate(
      (place) => JSON.parse(sessionStorage.getItem(place) ?? "{}").answer as CapabilityResult,
      `assay.answer.${id}`,
    );
  /** Changes what a paid call answers on its way. */
  const changeAnswer = (page: Page, change: (answer: CapabilityResult) => object) =>
    page.route(isInvoke, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: body.verdict ? { ...body, ...change(body) } : body });
    });
  /** The head as the page is told it, from the moment an answer is kept. */
  const setHead = (page: Page, headOf: () => number | undefined) =>
    page.route("**/api/v1/health", async (route) => {
      const response = await route.fetch();
      const health = await response.json();
      await route.fulfill({ response, json: { ...health, headBlock: headOf() ?? health.headBlock } });
    });

  it("holds its verdict back until it is checked, without a jump", async () => {
    const address = opened.service.contract("upgradeableProxy");
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { page } = await opened.visit(`/capabilities/contract.guard?address=${address}`, {
      prepare: (fresh) =>
        fresh.route(/\/assets\/checkSaved-/, async (route) => {
          await isReleased;
          await route.continue();
        }),
    });
    await chooseWallet(page, "alice");
    await pay(page);
    await page.getByText("Checking…", { exact: true }).first().waitFor();
    const header = page.locator(".verdict");
    expect(await verdictOf(page).isVisible()).toBe(false);
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
    const before = await header.boundingBox();
    release();
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REVIEW");
    expect(await page.locator(".verdict-past").count()).toBe(0);
    expect(await header.boundingBox()).toEqual(before);
  });

  it("gives no colour to what could not be checked, and says so", async () => {
    const address = opened.service.contract("upgradeableProxy");
    const { page } = await opened.visit(`/capabilities/contract.guard?address=${address}`, {
      prepare: (fresh) => fresh.route(/\/assets\/checkSaved-/, (route) => route.abort()),
    });
    await chooseWallet(page, "alice");
    await pay(page);
    await page.getByText("Not checked.").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("shows no verdict that was changed on the way", async () => {
    const address = opened.service.contract("upgradeableProxy");
    const { page } = await opened.visit(`/capabilities/contract.guard?address=${address}`);
    await chooseWallet(page, "alice");
    await changeAnswer(page, () => ({ verdict: "allow" }));
    await pay(page);
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REFUSED: A CHECK FAILED");
  });

  it("says for no longer than it was sold for that it holds, however old the head", async () => {
    const address = opened.service.contract("upgradeableProxy");
    const { page } = await opened.visit(`/capabilities/contract.guard?address=${address}`);
    await chooseWallet(page, "bob");
    let computedAt: number | undefined;
    await setHead(page, () => (computedAt === undefined ? undefined : computedAt - 3));
    await changeAnswer(page, ({ result, nextCall }) => {
      computedAt = result.computedAtBlock;
      return { nextCall: { ...nextCall, validForSeconds: 6 } };
    });
    await pay(page);
    await verdictOf(page).waitFor();
    const { result } = await keptAnswer(page, "contract.guard");
    const words = await page.getByTestId("validity").innerText();
    const [, blocks, seconds] = /^Holds for (\d+) blocks?, about (\d+) s/.exec(words) ?? [words];
    expect(Number(blocks)).toBeLessThanOrEqual(result.validUntilBlock - result.computedAtBlock + 1);
    expect(Number(seconds)).toBeLessThanOrEqual(6);
    // The head stands still, and the clock does not.
    await page.getByText("and its time has passed.").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
  });

  it("ends with the answer it holds, and shows that one as an answer of its own", async () => {
    const { service } = opened;
    const client = createClient({ baseUrl: service.url, account: service.wallet("carol") });
    const { answer: old } = await client.call("chain.snapshot", {});
    const { artifactId } = old.evidenceReference;
    await expect
      .poll(async () => (await client.evidence(artifactId)).validity.isLive, {
        timeout: 30_000,
        interval: 500,
      })
      .toBe(false);
    const { page } = await opened.visit(`/capabilities/evidence.artifact?artifactId=${artifactId}`);
    await chooseWallet(page, "carol");
    await pay(page);
    const inner = page.getByRole("region", { name: "Answered anew by chain.snapshot" });
    await inner.waitFor();
    const { result } = await keptAnswer(page, "evidence.artifact");
    const { validUntil } = result.refreshed as { validUntil: { block: number } };
    expect(validUntil.block).toBeLessThan(result.validUntilBlock);
    expect(await inner.innerText()).toContain(`block ${validUntil.block}`);
    expect(await inner.innerText()).toContain("SNAPSHOT");
    await page.getByText("No longer holds.").waitFor({ timeout: 30_000 });
    expect(await page.getByTestId("validity").innerText()).toContain(`until block ${validUntil.block}`);
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect((await client.health()).headBlock).toBeLessThanOrEqual(result.validUntilBlock);
    await inner.getByText("Ended with").waitFor();
    expect(await listBarriers(page)).toEqual([]);
  }, 90_000);
});
