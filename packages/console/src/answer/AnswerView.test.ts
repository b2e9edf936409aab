import { createClient, type PaidAnswer } from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { holdVerifier } from "../testing/holdVerifier.js";
import { keepAnswer } from "../testing/keepAnswer.js";
import { listBarriers } from "../testing/listBarriers.js";
import { openTab, type Tab } from "../testing/openTab.js";
import { hurryUntil, passTime } from "../testing/passTime.js";
import { payOnPage } from "../testing/payOnPage.js";
import { service } from "../testing/service.js";

const isInvoke = (url: URL) => url.pathname.endsWith("/invoke");

describe.runIf(findChromium())("an answer on its page", () => {
  /** One visitor, in the order of the tests. The verifier reaches it once it is released. */
  let tab: Tab;
  /** It has ended by the time that it is asked for again. */
  let old: CapabilityResult;
  const verifier = holdVerifier();
  beforeAll(async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("carol") });
    old = (await client.call("chain.snapshot", {})).answer;
    tab = await openTab(`/capabilities/contract.guard?address=${service.contract("beaconProxy")}`, {
      wallet: "alice",
      prepare: verifier.prepare,
    });
  });
  afterEach(() => tab?.page.unrouteAll({ behavior: "ignoreErrors" }));
  afterAll(() => tab?.close());
  const verdictOf = (page: Page) => page.getByTestId("verdict");
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

  it("holds its verdict back until it is checked, without a jump", async () => {
    const { page } = tab;
    // However long the test takes, the answer has not ended.
    let readAt: number | undefined;
    await setHead(page, () => readAt);
    await changeAnswer(page, ({ result, nextCall }) => {
      readAt = result.computedAtBlock;
      return { nextCall: { ...nextCall, validForSeconds: 600 } };
    });
    await payOnPage(page);
    await page.getByText("Checking…", { exact: true }).first().waitFor();
    const header = page.locator(".verdict");
    expect(await verdictOf(page).isVisible()).toBe(false);
    const spoken = await header.getByRole("status").elementHandle();
    expect(await spoken?.textContent()).toBe("Checking the answer.");
    expect(await page.locator("[data-step][data-state=passed]").count()).toBe(0);
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
    const before = await header.boundingBox();
    verifier.release();
    await verdictOf(page).waitFor();
    expect(await verdictOf(page).innerText()).toBe("REVIEW");
    expect(await page.locator(".verdict-past").count()).toBe(0);
    // A fraction of a pixel is how text is laid out, not a jump.
    const after = await header.boundingBox();
    for (const side of ["x", "y", "width", "height"] as const)
      expect(after?.[side]).toBeCloseTo(before?.[side] ?? Number.NaN, 0);
    // In the region that was there before, or a screen reader does not speak it.
    expect(await spoken?.textContent()).toBe("Verdict: review. Check the reasons before you act.");
    expect(await page.locator("[data-step][data-state=passed]").count()).toBe(8);
    expect(await page.locator("[data-state=waiting]").getAttribute("data-step")).toBe("logInclusion");
  });

  it("shows no verdict that was changed on the way, also after a reload", async () => {
    const { page } = tab;
    await changeAnswer(page, () => ({ verdict: "allow" }));
    await payOnPage(page);
    const refused = page.getByText("Refused: a check failed");
    await refused.waitFor();
    expect(await verdictOf(page).innerText()).toBe("REFUSED: A CHECK FAILED");
    const read = page.getByText("Everything asked for was answered.");
    expect(await read.isVisible()).toBe(false);
    await page.getByText("Content of the refused answer").click();
    await read.waitFor();
    const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).color);
    expect(await colourOf(read)).toBe(await colourOf(page.locator(".refused-content")));
    await page.locator("[data-step=rule][data-state=failed]").waitFor();
    expect(await listBarriers(page)).toEqual([]);
    const isTakenBack = async () => {
      await refused.waitFor();
      expect(await page.locator(".verdict-allow").count()).toBe(0);
      expect(await page.getByTestId("validity").count()).toBe(0);
    };
    await isTakenBack();
    await page.reload();
    await isTakenBack();
  });

  it("says that an answer about one block is computed for each call, and raises no alarm", async () => {
    const { claims } = await createClient({ baseUrl: service.url }).claims({ limit: 100 });
    const obligation = claims.find(({ kind }) => kind === "obligation")?.claimId;
    const { page } = tab;
    await goTo(page, `/capabilities/obligation.verdict?obligationId=${obligation}`);
    await payOnPage(page);
    const validity = page.getByTestId("validity");
    await validity.waitFor();
    await page.locator(".verdict-past").waitFor();
    expect(await validity.innerText()).toMatch(/^True at block \d+\. Each call computes a new answer\.$/);
    expect(await page.getByText("No longer holds").count()).toBe(0);
  });

  it("shows what was signed, and no transaction of which header and receipt differ", async () => {
    const { page } = tab;
    await page.evaluate(() => sessionStorage.removeItem("assay.answer.contract.guard"));
    await goTo(page, `/capabilities/contract.guard?address=${service.contract("pausableToken")}`);
    let isChanged = false;
    await page.route(isInvoke, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      const settled = JSON.parse(Buffer.from(headers["payment-response"] ?? "", "base64").toString() || "{}");
      const transaction = isChanged ? `0x${"ee".repeat(32)}` : settled.transaction;
      const changed = Buffer.from(JSON.stringify({ ...settled, transaction })).toString("base64");
      await route.fulfill({ response, headers: { ...headers, "payment-response": changed } });
    });
    const record = page.locator(".payment-record");
    const shown = record.getByRole("button", { name: /copy the transaction hash/ });
    await payOnPage(page);
    await record.getByText("Payment and record").click();
    await shown.waitFor();
    await record.getByRole("button", { name: /copy the payee/ }).waitFor();
    expect(await record.getByRole("alert").count()).toBe(0);
    isChanged = true;
    const differing = record.getByText("they differ in transaction. Neither is shown.");
    await payOnPage(page);
    await differing.waitFor();
    expect(await shown.count()).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("ends with the answer it holds, and shows that one as an answer of its own", async () => {
    const client = createClient({ baseUrl: service.url });
    const { artifactId } = old.evidenceReference;
    await expect
      .poll(async () => (await client.evidence(artifactId)).validity.isLive, { timeout: 30_000 })
      .toBe(false);
    const { page } = tab;
    await goTo(page, `/capabilities/evidence.artifact?artifactId=${artifactId}`);
    await payOnPage(page);
    const inner = page.getByRole("region", { name: "Answered again by chain.snapshot" });
    await inner.waitFor();
    const { result } = await keptAnswer(page, "evidence.artifact");
    const { validUntil } = result.refreshed as { validUntil: { block: number } };
    expect(validUntil.block).toBeLessThan(result.validUntilBlock);
    expect(await inner.innerText()).toContain(`block ${validUntil.block}`);
    // The rule that writes the news is loaded when it is needed.
    await expect.poll(() => inner.innerText()).toMatch(/gas costs [\d.]+ gwei now[\s\S]*Base fee/);
    const { headBlock } = await client.health();
    await setHead(page, () => Math.max(headBlock ?? 0, validUntil.block + 1));
    await hurryUntil(page, page.getByText("No longer holds."));
    expect(await page.getByTestId("validity").innerText()).toContain(`until block ${validUntil.block}`);
    expect(await page.locator(".verdict-past").count()).toBe(1);
    await inner.getByText("Ended with").waitFor();
    expect(await listBarriers(page)).toEqual([]);
  });

  it("ends by the clock, by the head and by what it was sold for, whichever is first, and stays ended", async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("dave") });
    const address = service.contract("freshToken");
    let headBlock: number | undefined;
    const { page } = tab;
    await goTo(page, "/verify");
    await setHead(page, () => headBlock);
    /** Shows an answer that was sold for this long, which no signature covers. */
    const show = async ({ answer }: PaidAnswer, validForSeconds: number) => {
      const { nextCall, capabilityId } = answer;
      await keepAnswer(page, { ...answer, nextCall: { ...nextCall, validForSeconds } } as CapabilityResult);
      await goTo(page, `/capabilities/${capabilityId}?address=${address}`);
      await page.getByText(/^Holds for/).waitFor();
      // The verdict has its colour once the answer is checked.
      await verdictOf(page).waitFor();
    };
    const verifyThere = async () => {
      await page.getByRole("button", { name: "Verify in this browser" }).click();
      await page.locator(".check-outcome strong").waitFor();
      expect(await page.locator(".check-outcome .good").count()).toBe(0);
      return page.getByTestId("still-holds").innerText();
    };
    const isPast = () => page.locator(".verdict-past").count();

    // The head stands still, and the clock does not.
    const brief = await client.call("contract.guard", { address });
    const { computedAtBlock, validUntilBlock } = brief.answer.result;
    headBlock = computedAtBlock - 3;
    await show(brief, 10);
    const words = await page.getByTestId("validity").innerText();
    const [, blocks, seconds] = /^Holds for (\d+) blocks?, about (\d+) s/.exec(words) ?? [words];
    expect(Number(blocks)).toBeLessThanOrEqual(validUntilBlock - computedAtBlock + 1);
    expect(Number(seconds)).toBeLessThanOrEqual(10);
    await passTime(page, 10_000);
    await page.getByText("by this browser's clock its time has passed.").waitFor();
    expect(await isPast()).toBe(1);

    // The head falls back after the end, and the check below agrees that it was one.
    const fallen = await client.call("contract.interface", { address });
    headBlock = fallen.answer.result.computedAtBlock + 1;
    await show(fallen, 600);
    expect(await isPast()).toBe(0);
    headBlock = fallen.answer.result.validUntilBlock + 1;
    await hurryUntil(page, page.getByText("No longer holds.", { exact: true }));
    headBlock = fallen.answer.result.computedAtBlock + 1;
    await hurryUntil(page, page.getByText("this tab has seen it end."));
    expect(await verifyThere()).toMatch(
      /^It no longer holds\. It held until block \d+, and this tab has seen it end/,
    );

    // The newest block is not known for a while; then its signed seconds pass, whatever the service states.
    const signed = await client.call("token.metadata", { address });
    headBlock = signed.answer.result.computedAtBlock + 1;
    await show(signed, 600);
    expect(await isPast()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    await page.route("**/api/v1/health", (route) => route.abort());
    await hurryUntil(page, page.getByText("cannot show whether the answer still holds"));
    expect(await isPast()).toBe(1);
    await page.unrouteAll({ behavior: "wait" });
    await setHead(page, () => headBlock);
    await hurryUntil(page, page.getByText(/^Holds for/));
    expect(await isPast()).toBe(0);
    await passTime(page, 8 * 60_000);
    await page.getByText("by this browser's clock its time has passed.").waitFor();
    expect(await isPast()).toBe(1);
    expect(await verifyThere()).toContain("It no longer holds.");
  });
});
