import { createClient, type PaidAnswer } from "@assay/client";
import type { CapabilityResult, PortableEvidence, Receipt } from "@assay/protocol";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { keepAnswer } from "../testing/keepAnswer.js";
import { overflowOf } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { DESK, PHONE } from "../testing/openTab.js";
import { payOnPage } from "../testing/payOnPage.js";
import { service } from "../testing/service.js";

interface Saved {
  answer: CapabilityResult;
  receipt: Receipt;
}

const ALL_STEPS = [
  ...["shape", "block", "inputHash", "resultHash", "artifactId"],
  ...["signature", "rule", "stateProofs", "logInclusion"],
];

describe.runIf(findChromium())("verifying in the browser", () => {
  let saved: Saved;
  beforeAll(async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    const paid: PaidAnswer = await client.call("contract.guard", {
      address: service.contract("upgradeableProxy"),
    });
    saved = { answer: paid.answer, receipt: await client.receipt(paid.answer.invocationId) };
  });

  /** Drops a file where a visitor would. */
  async function drop(page: Page, value: unknown): Promise<void> {
    const transfer = await page.evaluateHandle((text) => {
      const carried = new DataTransfer();
      carried.items.add(new File([text], "answer.json", { type: "application/json" }));
      return carried;
    }, JSON.stringify(value));
    await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
  }
  const outcomeOf = async (within: Page | Locator) => {
    const outcome = within.locator(".check-outcome strong");
    await outcome.waitFor();
    return outcome.innerText();
  };
  const statesOf = (within: Page | Locator) =>
    within
      .locator("[data-step]")
      .evaluateAll((steps) =>
        Object.fromEntries(
          steps.map((step) => [step.getAttribute("data-step"), step.getAttribute("data-state")]),
        ),
      );
  /** Differs from the saved answer in one digit, and not in length. */
  const makeSimilar = () => {
    const block = String(saved.answer.result.computedAtBlock);
    const similar = structuredClone(saved);
    similar.answer.result.computedAtBlock = Number(
      block.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
    );
    expect(JSON.stringify(similar).length).toBe(JSON.stringify(saved).length);
    return similar;
  };
  const failedOf = async (page: Page) =>
    Object.entries(await statesOf(page)).flatMap(([name, state]) => (state === "failed" ? [name] : []));

  it("ticks every step of a dropped answer, against the keys of the first visit", async ({ visit }) => {
    const { page, errors, requests } = await visit("/verify", { isAnimated: true });
    await page.getByText("Trusted keys · from the first visit").waitFor();
    await drop(page, saved);
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    const states = await statesOf(page);
    expect(Object.keys(states)).toEqual(ALL_STEPS);
    expect(new Set(Object.values(states))).toEqual(new Set(["passed"]));
    expect(await page.locator("[data-step=signature]").innerText()).toContain("as expected");
    expect(requests.filter((request) => !request.url().startsWith(service.url))).toEqual([]);
    await page.getByText("What these checks do not cover").click();
    expect(await page.locator(".uncovered li").allInnerTexts()).toEqual(
      expect.arrayContaining(["the hosts of the links", "pricing but for pricePaidUsd", "receipt.createdAt"]),
    );
    expect(errors).toEqual([]);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("refuses a changed field and names the steps, under headings that follow one another", async ({
    expect,
    visit,
  }) => {
    const { page } = await visit("/verify");
    const { answer, receipt } = saved;
    const cases: [changed: unknown, failed: string[]][] = [
      [{ answer: { ...answer, verdict: "allow" }, receipt }, ["resultHash", "artifactId", "rule"]],
      [{ answer: { ...answer, invocationId: "inv_other" }, receipt }, ["shape", "signature", "logInclusion"]],
      [{ answer, receipt: { ...receipt, payment: { ...receipt.payment, amount: "1" } } }, ["logInclusion"]],
    ];
    for (const [changed, failed] of cases) {
      await drop(page, changed);
      await expect.poll(() => failedOf(page)).toEqual(failed);
      expect(await outcomeOf(page)).toMatch(/^Refused: .* Do not rely on it\.$/);
    }
    const refusal = await page.locator("[data-step=logInclusion]").innerText();
    expect(refusal).toContain("The receipt is not that of this answer: it differs in payment.amount");
    expect(await listBarriers(page)).toEqual([]);

    const { result } = saved.answer;
    // What decided and what else was found have a heading each.
    const codes = [...result.reasonCodes, "NO_CODE"];
    await drop(page, { ...saved, answer: { ...saved.answer, result: { ...result, reasonCodes: codes } } });
    await page.getByText("NO_CODE").first().waitFor({ state: "attached" });
    await page.getByText("Also found").waitFor();
    const levels = await page
      .locator("main :is(h1, h2, h3, h4, h5, h6)")
      .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
    expect(levels.filter((level, place) => level > (levels[place - 1] ?? 0) + 1)).toEqual([]);
  });

  it("takes pasted text, fetches the receipt of an answer that stands alone, and refuses one that is not in the log", async ({
    visit,
  }) => {
    const { page } = await visit("/verify");
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
    const similar = makeSimilar();
    await drop(page, similar);
    await page.getByText("Refused: a check failed").waitFor();
    await page.getByLabel("JSON", { exact: true }).fill("{ not JSON");
    await page.getByRole("button", { name: "Verify this text" }).click();
    await page.getByText("The text is not JSON").waitFor();
    expect(await page.locator("[data-step]").count()).toBe(0);
  });

  it("verifies an answer on the page where it was bought", async ({ visit }) => {
    // No other test asks about it, so no stored answer lends it a price that ends in seconds.
    const address = service.contract("v4UpgradeableHook");
    const { page, errors } = await visit(`/capabilities/contract.guard?address=${address}`, {
      wallet: "bob",
    });
    await payOnPage(page);
    await page.getByTestId("validity").waitFor();
    await page.getByTestId("verdict").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    expect(await listBarriers(page)).toEqual([]);
    expect(errors).toEqual([]);
    await page.route("**/.well-known/assay.json", async (route) => {
      const response = await route.fetch();
      const other = { signingAddress: service.wallet("bob").address };
      await route.fulfill({ response, json: { ...(await response.json()), ...other } });
    });
    await page.reload();
    await page.getByText("This answer is of another chain or another service").waitFor();
    expect(await page.getByText(/^Holds for/).count()).toBe(0);
  });

  it("says beside the outcome whether an answer still holds", async ({ visit }) => {
    // Bought for this: the clock ends what is older.
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    const { answer } = await client.call("contract.guard", {
      address: service.contract("plainToken"),
    });
    const fresh = { answer, receipt: await client.receipt(answer.invocationId) };
    const { validUntilBlock } = answer.result;
    let headBlock: number | null = validUntilBlock + 5;
    const { page } = await visit("/verify", {
      prepare: (fresh) =>
        fresh.route("**/api/v1/health", async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), headBlock } });
        }),
    });
    const isShownGood = () => page.locator(".check-outcome strong.good").count();
    await drop(page, fresh);
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    await page
      .getByText(
        `It no longer holds. It held until block ${validUntilBlock}; the chain is at block ${headBlock}.`,
      )
      .waitFor();
    expect(await isShownGood()).toBe(0);
    headBlock = null;
    await page.getByText("Whether it still holds was not checked").waitFor();
    expect(await isShownGood()).toBe(0);
    headBlock = validUntilBlock;
    await page.getByText(`It holds until block ${validUntilBlock}`).waitFor();
    expect(await isShownGood()).toBe(1);
  });

  it("has no signature vouch for anything while no key is known", async ({ visit }) => {
    const withoutKeys = (page: Page) => page.route("**/.well-known/assay.json", (route) => route.abort());
    const { page } = await visit("/verify", { prepare: withoutKeys });
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

    await keepAnswer(page, saved.answer);
    await goTo(page, "/capabilities/contract.guard");
    const doubt = page.getByText("The signer is not known.");
    await doubt.waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe(words);
    await doubt.waitFor();
    expect(await page.locator(".verdict-past").count()).toBe(1);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("does not call an answer bad because a part of the verifier did not load", async ({ visit }) => {
    const { page } = await visit("/verify", {
      prepare: async (fresh) => {
        await fresh.route(/\/assets\/checkSaved-/, (route) => route.abort());
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
  });

  it("checks a receipt on its page, in the log and with the answer it paid for, and gives it no colour before", async ({
    visit,
  }) => {
    const path = `/receipts/${saved.answer.invocationId}`;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { page, errors } = await visit(path, {
      prepare: (fresh) =>
        fresh.route(/\/assets\/checkSaved-/, async (route) => {
          await isReleased;
          await route.continue();
        }),
    });
    const header = page.locator(".standing");
    await page.getByText("Being checked against the log…").waitFor();
    expect(await page.locator(".standing-good").count()).toBe(0);
    const before = await header.boundingBox();
    release();
    await page.locator(".standing-good").waitFor();
    expect(await header.boundingBox()).toEqual(before);
    await page.getByText("Paid and delivered").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe("All 4 checks passed.");
    await drop(page, saved.answer);
    await page.getByText("All 9 checks passed.").waitFor();
    expect(await listBarriers(page)).toEqual([]);
    await drop(page, makeSimilar().answer);
    await page.getByText(/^Refused: .* Do not rely on it\.$/).waitFor();
    expect(errors).toEqual([]);

    await page.route("**/api/v1/receipts/*", async (route) => {
      const response = await route.fetch();
      const receipt = await response.json();
      const payment = { ...receipt.payment, payTo: `0x${"00".repeat(18)}dead` };
      await route.fulfill({ response, json: { ...receipt, payment } });
    });
    await page.reload();
    await header.getByText("Refused: a check failed").waitFor();
    expect(await page.locator(".standing-good").count()).toBe(0);
    const payee = page.getByRole("button", { name: /copy the payee/ });
    expect(await payee.evaluate((element) => getComputedStyle(element).textDecorationLine)).toBe(
      "line-through",
    );
    await page.locator("[data-step=leaf][data-state=failed]").waitFor();
    expect(await listBarriers(page)).toEqual([]);
  });

  it("shows where a shared answer came from and how to reach it again, and links none of a private one", async ({
    visit,
  }) => {
    const { artifactId } = saved.answer.evidenceReference;
    const { page, errors } = await visit(`/evidence/${artifactId}`);
    expect(await outcomeOf(page)).toBe("All 4 checks passed.");
    const address = service.contract("upgradeableProxy").toLowerCase();
    expect(await page.getByText("assay call contract.guard").innerText()).toContain(`--address ${address}`);
    expect(await page.getByRole("link", { name: "Ask it here" }).getAttribute("href")).toBe(
      `/capabilities/contract.guard?address=${address}`,
    );
    await drop(page, saved);
    await page.getByText("The file names this artifact.").waitFor();
    expect(await listBarriers(page)).toEqual([]);
    expect(errors).toEqual([]);

    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    const { answer } = await client.call("transaction.intent.guard", {
      from: service.wallet("alice").address,
      to: service.wallet("bob").address,
      value: "1",
    });
    await goTo(page, `/receipts/${answer.invocationId}`);
    await page.getByText("private: not available to anyone else").waitFor();
    expect(await page.locator("main a[href^='/evidence/']").count()).toBe(0);
    await goTo(page, `/receipts/${saved.answer.invocationId}`);
    await page.locator("main a[href^='/evidence/']").waitFor();
  });

  it("works without a network once the page is open", async ({ visit }) => {
    const { page } = await visit("/verify", { isCold: true });
    await page.getByText("Trusted keys · from the first visit").waitFor();
    await page.getByText("Ready: from here on no network is needed.").waitFor();
    await page.context().setOffline(true);
    await page.getByText("This browser is offline.").waitFor();
    await drop(page, saved);
    expect(await outcomeOf(page)).toBe("All 9 checks passed.");
    await drop(page, saved.answer);
    await page.getByText("Not checked: Place in the log.").waitFor();
    expect(await outcomeOf(page)).toBe("8 of 9 checks passed. Not checked: Place in the log.");
  });

  it("trusts no reference that was changed on the way or that is of another answer, and finds none for an id that is not one", async ({
    visit,
  }) => {
    const { artifactId } = saved.answer.evidenceReference;
    const { page } = await visit("/evidence", {
      prepare: (fresh) =>
        fresh.route("**/api/v1/evidence/**", async (route) => {
          const response = await route.fetch();
          const reference = (await response.json()) as PortableEvidence;
          const validity = { ...reference.validity, validUntilBlock: 99_999_999 };
          await route.fulfill({ response, json: { ...reference, validity } });
        }),
    });
    await page.getByRole("textbox").fill(artifactId);
    await page.keyboard.press("Enter");
    expect(await outcomeOf(page)).toBe("Refused: Signature. Do not rely on it.");
    await page.getByText("Refused: a check failed").waitFor();
    expect(await page.getByText("Still holds").count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    await page.route("**/api/v1/evidence/**", (route) =>
      route.continue({ url: `${service.url}/api/v1/evidence/${artifactId}` }),
    );
    await goTo(page, `/evidence/sha256:${"0".repeat(64)}`);
    await page.getByText("another artifactId than the one asked for").waitFor();

    // How an id is written, and that nothing is there.
    await page.setViewportSize(PHONE);
    await goTo(page, "/receipts");
    await page.getByRole("textbox").fill("no id!");
    await page.getByRole("button", { name: "Look up" }).click();
    expect(await page.getByRole("alert").innerText()).toBe("An invocation id is letters, digits, _ and -.");
    await page.getByRole("textbox").fill("inv_nobody");
    await page.keyboard.press("Enter");
    await page.getByText("There is nothing here").waitFor();
    expect(await overflowOf(page)).toBe(0);
  });

  it("warns loudly on every page when the service states other keys, pays nobody, and checks with the known ones until the new are accepted", async ({
    expect,
    visit,
  }) => {
    const known = { signer: `0x${"22".repeat(20)}`, logKey: `${"A".repeat(43)}=`, source: "first visit" };
    const { page, requests } = await visit("/", {
      wallet: "bob",
      prepare: async (fresh) => {
        await fresh.addInitScript((anchors) => {
          if (localStorage.getItem("assay.anchors") === null)
            localStorage.setItem(
              "assay.anchors",
              JSON.stringify({ ...anchors, since: "2026-01-01T00:00:00Z" }),
            );
        }, known);
      },
    });
    // Where a visitor is invited to pay,
    const invited = page.locator("main").getByRole("alert");
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
    expect(requests.filter((request) => request.headers()["payment-signature"])).toEqual([]);

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
    await goTo(page, "/capabilities/chain.snapshot");
    await price.getByText(/The price is valid for/).waitFor();
    await expect.poll(() => payButton.isEnabled()).toBe(true);
  });
});
