import { createClient } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { it, type Visit } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { listBarriers } from "../testing/listBarriers.js";
import type { TabOptions } from "../testing/openTab.js";
import { service } from "../testing/service.js";

const isInvoke = (url: URL) => url.pathname.endsWith("/invoke");

describe.runIf(findChromium())("an answer on its page", { concurrent: true }, () => {
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
  /** Replaces the head that the page is given, from the moment an answer is kept. */
  const setHead = (page: Page, headOf: () => number | undefined) =>
    page.route("**/api/v1/health", async (route) => {
      const response = await route.fetch();
      const health = await response.json();
      await route.fulfill({ response, json: { ...health, headBlock: headOf() ?? health.headBlock } });
    });

  it("holds its verdict back until it is checked, without a jump", async ({ visit }) => {
    const address = service.contract("upgradeableProxy");
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { page } = await visit(`/capabilities/contract.guard?address=${address}`, {
      wallet: "alice",
      prepare: (fresh) =>
        fresh.route(/\/assets\/checkSaved-/, async (route) => {
          await isReleased;
          await route.continue();
        }),
    });
    // However long the test takes, the answer has not ended.
    let readAt: number | undefined;
    await setHead(page, () => readAt);
    await changeAnswer(page, ({ result, nextCall }) => {
      readAt = result.computedAtBlock;
      return { nextCall: { ...nextCall, validForSeconds: 600 } };
    });
    await pay(page);
    await page.getByText("Checking…", { exact: true }).first().waitFor();
    const header = page.locator(".verdict");
    expect(await verdictOf(page).isVisible()).toBe(false);
    const spoken = await header.getByRole("status").elementHandle();
    expect(await spoken?.textContent()).toBe("Checking the answer.");
    expect(await page.locator("[data-step][data-state=passed]").count()).toBe(0);
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
    const before = await header.boundingBox();
    release();
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REVIEW");
    expect(await page.locator(".verdict-past").count()).toBe(0);
    expect(await header.boundingBox()).toEqual(before);
    // In the region that was there before, or a screen reader does not speak it.
    expect(await spoken?.textContent()).toBe("Verdict: review. Check the reasons before you act.");
    expect(await page.locator("[data-step][data-state=passed]").count()).toBe(8);
    expect(await page.locator("[data-state=waiting]").getAttribute("data-step")).toBe("logInclusion");
  });

  it("gives no colour to what could not be checked, and says so", async ({ visit }) => {
    const address = service.contract("upgradeableProxy");
    const { page } = await visit(`/capabilities/contract.guard?address=${address}`, {
      wallet: "alice",
      prepare: (fresh) => fresh.route(/\/assets\/checkSaved-/, (route) => route.abort()),
    });
    await pay(page);
    await page.getByText("Not checked.").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("shows no verdict that was changed on the way", async ({ visit }) => {
    const address = service.contract("upgradeableProxy");
    const { page } = await visit(`/capabilities/contract.guard?address=${address}`, { wallet: "alice" });
    await changeAnswer(page, () => ({ verdict: "allow" }));
    await pay(page);
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REFUSED: A CHECK FAILED");
    const read = page.getByText("Everything that was asked for was answered.");
    expect(await read.isVisible()).toBe(false);
    await page.getByText("Content of the refused answer").click();
    await read.waitFor();
    const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
    expect(await colourOf(read)).toBe(await colourOf(page.locator(".refused-content")));
    expect(await listBarriers(page)).toEqual([]);
  });

  it("holds no longer than it was sold for, however old the head", async ({ visit }) => {
    const address = service.contract("upgradeableProxy");
    const { page } = await visit(`/capabilities/contract.guard?address=${address}`, { wallet: "bob" });
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
    await page.getByText("by this browser's clock its time has passed.").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
  });

  /** Buys an answer that claims to hold for ten minutes, which no signature covers, while `headOf` decides the head. */
  async function buyHeld(
    visit: Visit,
    headOf: (result: CapabilityResult["result"]) => number,
    options: TabOptions = {},
  ): Promise<Page> {
    const address = service.contract("plainToken");
    const { page } = await visit(`/capabilities/token.metadata?address=${address}`, {
      wallet: "dave",
      ...options,
    });
    let kept: CapabilityResult["result"] | undefined;
    await setHead(page, () => kept && headOf(kept));
    await changeAnswer(page, ({ result, nextCall }) => {
      kept = result;
      return { nextCall: { ...nextCall, validForSeconds: 600 } };
    });
    await pay(page);
    await page.getByText(/^Holds for/).waitFor();
    // The verdict has its colour once the answer is checked.
    await verdictOf(page).waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(0);
    return page;
  }
  const verifyThere = async (page: Page) => {
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    await page.locator(".check-outcome strong").waitFor();
    return page.getByTestId("still-holds").innerText();
  };

  it("ends when its signed seconds have passed, whatever the service states as head and time", async ({
    visit,
  }) => {
    const page = await buyHeld(visit, ({ computedAtBlock }) => computedAtBlock + 1, { isCold: true });
    await page.clock.setFixedTime(Date.now() + 8 * 60_000);
    await page.getByText("by this browser's clock its time has passed.").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await verifyThere(page)).toContain("It no longer holds.");
    expect(await page.locator(".check-outcome .good").count()).toBe(0);
  });

  it("stays ended when the head falls back, and the check below agrees", async ({ visit }) => {
    let isOver = false;
    const page = await buyHeld(visit, ({ computedAtBlock, validUntilBlock }) =>
      isOver ? validUntilBlock + 1 : computedAtBlock + 1,
    );
    isOver = true;
    await page.getByText("No longer holds.", { exact: true }).waitFor();
    isOver = false;
    await page.getByText("this tab has seen it end.").waitFor();
    expect(await verifyThere(page)).toMatch(
      /^It no longer holds\. It held until block \d+, and this tab has seen it end/,
    );
    expect(await page.locator(".check-outcome .good").count()).toBe(0);
  });

  it("loses its colour while the newest block is not known", async ({ visit }) => {
    const page = await buyHeld(visit, ({ computedAtBlock }) => computedAtBlock + 1);
    await page.route("**/api/v1/health", (route) => route.abort());
    await page.getByText("cannot show whether the answer still holds").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
  });

  it("shows what was signed, and no transaction of which header and receipt differ", async ({ visit }) => {
    const address = service.contract("plainToken");
    const { page } = await visit(`/capabilities/contract.guard?address=${address}`, { wallet: "dave" });
    let isChanged = false;
    await page.route(isInvoke, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      const settled = JSON.parse(Buffer.from(headers["payment-response"] ?? "", "base64").toString() || "{}");
      const transaction = isChanged ? `0x${"ee".repeat(32)}` : settled.transaction;
      const changed = Buffer.from(JSON.stringify({ ...settled, transaction })).toString("base64");
      await route.fulfill({ response, headers: { ...headers, "payment-response": changed } });
    });
    const record = page.getByRole("heading", { name: "Payment and record" }).locator("..");
    const shown = record.getByRole("button", { name: /copy the transaction hash/ });
    await pay(page);
    await shown.waitFor();
    await record.getByRole("button", { name: /copy the payee/ }).waitFor();
    expect(await record.getByRole("alert").count()).toBe(0);
    isChanged = true;
    await pay(page);
    await record.getByText("they differ in transaction. Neither is shown.").waitFor();
    expect(await shown.count()).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("ends with the answer it holds, and shows that one as an answer of its own", async ({
    expect,
    visit,
  }) => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("carol") });
    const { answer: old } = await client.call("chain.snapshot", {});
    const { artifactId } = old.evidenceReference;
    await expect
      .poll(async () => (await client.evidence(artifactId)).validity.isLive, { timeout: 30_000 })
      .toBe(false);
    const { page } = await visit(`/capabilities/evidence.artifact?artifactId=${artifactId}`, {
      wallet: "carol",
    });
    await pay(page);
    const inner = page.getByRole("region", { name: "Answered again by chain.snapshot" });
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
