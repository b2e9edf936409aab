import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { buySaved, drop, makeSimilar, outcomeOf, type Saved, statesOf } from "../testing/checks.js";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { keepAnswer } from "../testing/keepAnswer.js";
import { overflowOf } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { DESK, openTab, PHONE, type Tab } from "../testing/openTab.js";
import { hurryUntil } from "../testing/passTime.js";
import { payOnPage } from "../testing/payOnPage.js";
import { service } from "../testing/service.js";

const ALL_STEPS = [
  ...["shape", "block", "inputHash", "resultHash", "artifactId"],
  ...["signature", "rule", "stateProofs", "logInclusion"],
];

describe.runIf(findChromium())("verifying in the browser", () => {
  let saved: Saved;
  /** One visitor, in the order of the tests. Nothing is in the browser's cache at first. */
  let tab: Tab;
  beforeAll(async () => {
    saved = await buySaved("transparentProxy");
    tab = await openTab("/verify", { isCold: true, wallet: "bob" });
  });
  afterEach(() => tab?.page.unrouteAll({ behavior: "ignoreErrors" }));
  afterAll(() => tab?.close());

  it("works without a network once the page is open", async () => {
    const { page } = tab;
    await page.getByText("Trusted keys · from the first visit").waitFor();
    await page.getByText("Ready: from here on no network is needed.").waitFor();
    await page.context().setOffline(true);
    await page.getByText("This browser is offline.").waitFor();
    await drop(page, saved);
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    await drop(page, saved.answer);
    await page.getByText("Not checked: Place in the log.").waitFor();
    expect(await outcomeOf(page)).toBe("8 of 9 checks passed. Not checked: Place in the log.");
    await page.context().setOffline(false);
  });

  it("ticks every step of a dropped answer, against the keys of the first visit", async () => {
    const { page, errors, requests } = tab;
    const before = errors.length;
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await drop(page, saved);
    await page.getByText("All 9 checks passed.").waitFor();
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.getByText("Trusted keys · from the first visit").waitFor();
    const states = await statesOf(page);
    expect(Object.keys(states)).toEqual(ALL_STEPS);
    expect(new Set(Object.values(states))).toEqual(new Set(["passed"]));
    expect(await page.locator("[data-step=signature]").innerText()).toContain("as expected");
    expect(requests.filter((request) => !request.url().startsWith(service.url))).toEqual([]);
    await page.getByText("What these checks do not cover").click();
    expect(await page.locator(".uncovered li").allInnerTexts()).toEqual(
      expect.arrayContaining(["the hosts of the links", "pricing but for pricePaidUsd", "receipt.createdAt"]),
    );
    expect(errors.slice(before)).toEqual([]);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("refuses a changed field and names the steps, under headings that follow one another", async () => {
    const { page } = tab;
    const listFailed = async () =>
      Object.entries(await statesOf(page)).flatMap(([name, state]) => (state === "failed" ? [name] : []));
    const { answer, receipt } = saved;
    const cases: [changed: unknown, failed: string[]][] = [
      [{ answer: { ...answer, verdict: "allow" }, receipt }, ["resultHash", "artifactId", "rule"]],
      [{ answer: { ...answer, invocationId: "inv_other" }, receipt }, ["shape", "signature", "logInclusion"]],
      [{ answer, receipt: { ...receipt, payment: { ...receipt.payment, amount: "1" } } }, ["logInclusion"]],
    ];
    for (const [changed, failed] of cases) {
      await drop(page, changed);
      await expect.poll(listFailed).toEqual(failed);
      expect(await outcomeOf(page)).toMatch(/^Refused: .* Do not rely on it\.$/);
    }
    const refusal = await page.locator("[data-step=logInclusion]").innerText();
    expect(refusal).toContain("The receipt is not that of this answer: it differs in payment.amount");
    expect(await listBarriers(page)).toEqual([]);

    const { result } = saved.answer;
    // What decided has a heading of its own.
    const codes = [...result.reasonCodes, "NO_CODE"];
    await drop(page, { ...saved, answer: { ...saved.answer, result: { ...result, reasonCodes: codes } } });
    await page.getByText("NO_CODE").first().waitFor({ state: "attached" });
    await page.getByText("To be checked by you").waitFor();
    await page.getByText(/^In its favour, or neutral/).waitFor();
    const levels = await page
      .locator("main :is(h1, h2, h3, h4, h5, h6)")
      .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
    expect(levels.filter((level, place) => level > (levels[place - 1] ?? 0) + 1)).toEqual([]);
  });

  it("verifies a file that was saved from a recorded answer, says that it is one, and shows none of it as good or as this service's", async () => {
    const { page } = tab;
    const name = "contract.guard.block.json";
    const file = await readFile(`${import.meta.dirname}/../../../client/src/testing/saved/${name}`, "utf8");
    const recorded = JSON.parse(file) as Saved;
    await drop(page, recorded);
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    const content = page.getByRole("region", { name: "Content of the file" });
    await content.getByText("sold on a local chain to be shown").waitFor();
    await page.getByText("this service's own keys did not sign it").waitFor();
    expect(await page.locator(".check-outcome .good").count()).toBe(0);
    expect(await page.getByTestId("still-holds").innerText()).toContain("says nothing about Base");
    expect(await listBarriers(page)).toEqual([]);
    // Its keys vouch for what they signed, and for nothing that was changed.
    await drop(page, { ...recorded, answer: { ...recorded.answer, verdict: "allow" } });
    await page.getByText(/^Refused: Hash of the result/).waitFor();
    expect(await content.getByText("sold on a local chain to be shown").count()).toBe(0);
    // Nothing that was bought may be signed by them.
    await keepAnswer(page, recorded.answer);
    await goTo(page, "/capabilities/contract.guard");
    await page.getByText("Refused: a check failed").waitFor();
    expect(await outcomeOf(page)).toMatch(/^Refused: Signature/);
    await page.evaluate(() => sessionStorage.removeItem("assay.answer.contract.guard"));
    await goTo(page, "/verify");
  });

  it("takes pasted text, fetches the receipt of an answer that stands alone, and refuses one that is not in the log", async () => {
    const { page } = tab;
    await page.getByText("Paste JSON instead").click();
    await page.getByLabel("JSON", { exact: true }).fill("{ not JSON");
    await page.getByRole("button", { name: "Verify this text" }).click();
    expect(await page.getByRole("alert").innerText()).toContain("The text is not JSON");
    await page.getByLabel("JSON", { exact: true }).fill(JSON.stringify(saved.answer));
    await page.getByRole("button", { name: "Verify this text" }).click();
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");

    const copy = structuredClone(saved.receipt);
    copy.payment.payer = copy.payment.payTo;
    await drop(page, copy);
    await page.getByText("Refused: Entry in the log. Do not rely on it.").waitFor();
    expect(await page.locator("[data-step=leaf]").innerText()).toContain("it differs in payer");

    // Nothing of one file stands beside the next.
    await drop(page, makeSimilar(saved));
    await page.getByText("Refused: a check failed").waitFor();
    await page.getByLabel("JSON", { exact: true }).fill("{ not JSON");
    await page.getByRole("button", { name: "Verify this text" }).click();
    await page.getByText("The text is not JSON").waitFor();
    expect(await page.locator("[data-step]").count()).toBe(0);
  });

  it("says beside the outcome whether an answer still holds", async () => {
    // Bought for this: the clock ends what is older.
    const fresh = await buySaved("taxedToken");
    const { validUntilBlock } = fresh.answer.result;
    let headBlock: number | null = validUntilBlock + 5;
    const { page } = tab;
    await page.route("**/api/v1/health", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), headBlock } });
    });
    const isShownGood = () => page.locator(".check-outcome strong.good").count();
    await drop(page, fresh);
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    const words = `It no longer holds. It held until block ${validUntilBlock}; the chain is at block ${headBlock}.`;
    await hurryUntil(page, page.getByText(words));
    expect(await isShownGood()).toBe(0);
    headBlock = null;
    await hurryUntil(page, page.getByText("Whether it still holds was not checked"));
    expect(await isShownGood()).toBe(0);
    headBlock = validUntilBlock;
    await hurryUntil(page, page.getByText(`It holds until block ${validUntilBlock}`));
    expect(await isShownGood()).toBe(1);
  });

  it("verifies an answer on the page where it was bought, until the service states another signer", async () => {
    // No other test asks about it, so no stored answer lends it a price that ends in seconds.
    const address = service.contract("v4UpgradeableHook");
    const { page, errors } = tab;
    const before = errors.length;
    await goTo(page, `/capabilities/contract.guard?address=${address}`);
    await payOnPage(page);
    await page.getByTestId("validity").waitFor();
    await page.getByTestId("verdict").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    expect(await listBarriers(page)).toEqual([]);
    expect(errors.slice(before)).toEqual([]);
    await page.route("**/.well-known/assay.json", async (route) => {
      const response = await route.fetch();
      const other = { signingAddress: service.wallet("bob").address };
      await route.fulfill({ response, json: { ...(await response.json()), ...other } });
    });
    await hurryUntil(page, page.getByText("This answer is of another chain or another service"));
    expect(await page.getByText(/^Holds for/).count()).toBe(0);
    // Until it states its own again.
    const alarm = page.getByRole("alert").filter({ hasText: "other keys than this browser knows" }).first();
    await alarm.waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await hurryUntil(page, alarm, "detached");
  });

  it("warns loudly on every page when the service states other keys, pays nobody, and checks with the known ones until the new are accepted", async () => {
    const { page, requests } = tab;
    const sent = () => requests.filter((request) => request.headers()["payment-signature"]).length;
    const before = sent();
    await goTo(page, "/");
    const invited = page.locator("main").getByRole("alert");
    // As another window of this browser would have learned them.
    await page.evaluate(
      (anchors) => {
        localStorage.setItem("assay.anchors", JSON.stringify(anchors));
        dispatchEvent(new StorageEvent("storage"));
      },
      {
        ...{ signer: `0x${"22".repeat(20)}`, logKey: `${"A".repeat(43)}=`, source: "first visit" },
        since: "2026-01-01T00:00:00Z",
      },
    );
    // Where a visitor is invited to pay,
    await invited.getByText("The service states other keys than this browser knows").waitFor();
    await page.locator(".entry").first().waitFor();
    expect(await overflowOf(page)).toBe(0);
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBe(0);
    expect(await listBarriers(page)).toEqual([]);
    await page.setViewportSize(DESK);

    // where a payment would be signed,
    await goTo(page, "/capabilities/chain.snapshot");
    const price = page.getByRole("region", { name: "Price and payment" });
    const payButton = page.getByRole("button", { name: /^Pay and ask/ });
    await price.getByText("The service states other keys than this browser knows").waitFor();
    await price.getByText(/offers no payment of/).waitFor();
    expect(await payButton.isDisabled()).toBe(true);
    expect(sent()).toBe(before);

    // and where answers are checked.
    await goTo(page, "/verify");
    const alarm = page.getByRole("alert").filter({ hasText: "other keys than this browser knows" });
    await alarm.waitFor();
    expect(await listBarriers(page)).toEqual([]);
    await drop(page, saved);
    expect(await outcomeOf(page)).toMatch(/^Refused: Signature, Place in the log\./);
    await page.getByRole("button", { name: "Accept the new keys" }).click();
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("All 9 checks passed.").waitFor();
    expect(await alarm.count()).toBe(0);
    await goTo(page, `/capabilities/contract.guard?address=${service.contract("identityRegistry")}`);
    await price.getByText(/The price is valid for/).waitFor();
    await expect.poll(() => payButton.isEnabled()).toBe(true);
  });

  it("does not call an answer bad because a part of the verifier did not load, and has no signature vouch for anything while no key is known", async ({
    visit,
  }) => {
    const isVerifier = /\/assets\/checkSaved-/;
    const { page } = await visit("/verify", {
      prepare: async (fresh) => {
        await fresh.route("**/.well-known/assay.json", (route) => route.abort());
        await fresh.route(isVerifier, (route) => route.abort());
      },
    });
    await drop(page, saved);
    await page.getByText("The verifier could not be loaded; nothing was checked.").waitFor();
    expect(await page.locator("[data-state=failed]").count()).toBe(0);
    // Nor has an answer a colour that could not be checked.
    await keepAnswer(page, saved.answer);
    await goTo(page, "/capabilities/contract.guard");
    await page.getByText("Not checked.").waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);

    await page.unroute(isVerifier);
    await goTo(page, "/verify");
    await drop(page, saved);
    const words = "7 of 9 checks passed. Not checked: Signature, Place in the log.";
    expect(await outcomeOf(page)).toBe(words);
    expect(await page.locator(".check-outcome .good").count()).toBe(0);
    expect(await page.locator("[data-step=signature]").innerText()).toContain(
      "no signer to expect was given",
    );
    expect(await page.locator("[data-step=logInclusion]").innerText()).toContain("no key is known");
    const forged = structuredClone(saved);
    forged.answer.evidenceReference.signature = `0x${"11".repeat(65)}`;
    await drop(page, forged);
    await page.getByText(/^Refused: Signature\./).waitFor();

    await goTo(page, "/capabilities/contract.guard");
    const doubt = page.getByText("The signer is not known.");
    await doubt.waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe(words);
    await doubt.waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
  });
});
