import { createClient } from "@assay/client";
import type { PortableEvidence } from "@assay/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buySaved, drop, makeSimilar, outcomeOf, type Saved } from "../testing/checks.js";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { holdVerifier } from "../testing/holdVerifier.js";
import { overflowOf } from "../testing/layout.js";
import { listBarriers } from "../testing/listBarriers.js";
import { openTab, PHONE, type Tab } from "../testing/openTab.js";
import { service } from "../testing/service.js";

describe.runIf(findChromium())("the pages of a receipt and of a reference", () => {
  let saved: Saved;
  let other: Saved;
  /** One visitor, in the order of the tests. The verifier reaches it once it is released. */
  let tab: Tab;
  const verifier = holdVerifier();
  beforeAll(async () => {
    saved = await buySaved("transparentProxy");
    other = await buySaved("honeypotToken");
    tab = await openTab(`/receipts/${saved.answer.invocationId}`, {
      prepare: verifier.prepare,
    });
  });
  afterEach(() => tab?.page.unrouteAll({ behavior: "ignoreErrors" }));
  afterAll(() => tab?.close());

  it("checks a receipt on its page, in the log and with the answer it paid for, and gives it no colour before", async () => {
    const { page, errors } = tab;
    const header = page.locator(".standing");
    await page.getByText("Being checked against the log…").waitFor();
    expect(await page.locator(".standing-good").count()).toBe(0);
    const before = await header.boundingBox();
    verifier.release();
    await page.locator(".standing-good").waitFor();
    expect(await header.boundingBox()).toEqual(before);
    await page.getByText("Paid and delivered").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe("All 4 checks passed.");
    await drop(page, saved.answer);
    await page.getByText("All 9 checks passed.").waitFor();
    expect(await listBarriers(page)).toEqual([]);
    await drop(page, makeSimilar(saved).answer);
    await page.getByText(/^Refused: .* Do not rely on it\.$/).waitFor();
    expect(errors).toEqual([]);

    await page.route("**/api/v1/receipts/*", async (route) => {
      const response = await route.fetch();
      const receipt = await response.json();
      const payment = { ...receipt.payment, payTo: `0x${"00".repeat(18)}dead` };
      await route.fulfill({ response, json: { ...receipt, payment } });
    });
    await goTo(page, `/receipts/${other.answer.invocationId}`);
    await header.getByText("Refused: a check failed").waitFor();
    expect(await page.locator(".standing-good").count()).toBe(0);
    const payee = page.getByRole("button", { name: /copy the payee/ });
    expect(await payee.evaluate((element) => getComputedStyle(element).textDecorationLine)).toBe(
      "line-through",
    );
    await page.locator("[data-step=leaf][data-state=failed]").waitFor();
    expect(await listBarriers(page)).toEqual([]);
  });

  it("shows a payment by voucher: its channel, its ceiling, and the claim once there is one", async () => {
    const client = createClient({
      baseUrl: service.url,
      account: service.wallet("grace"),
      channel: { depositUsd: 0.5 },
    });
    await client.call("chain.snapshot", {});
    const { answer, voucher } = await client.call("chain.snapshot", {});
    const { page, errors } = tab;
    await goTo(page, `/receipts/${answer.invocationId}`);
    await page.getByRole("button", { name: `copy the channel id ${voucher?.channelId}` }).waitFor();
    await page.getByText(/^\$0\.00\d+ in all, for this call and earlier ones$/).waitFor();
    await page.getByText("not yet: the service holds the signature").waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    // Who holds the signature can speak for the channel, so nobody is shown it before the chain shows it to all.
    expect(await outcomeOf(page)).toMatch(/^4 of 5 checks passed\. Not checked: /);
    await page.locator("[data-step=voucher][data-state=unchecked]").waitFor();
    expect(await listBarriers(page)).toEqual([]);

    const closed = await client.closeChannel();
    await page.reload();
    await page
      .getByRole("button", { name: `copy the transaction of the claim ${closed?.transaction}` })
      .waitFor();
    await page.getByRole("button", { name: "Verify in this browser" }).click();
    expect(await outcomeOf(page)).toBe("All 5 checks passed.");
    // A voucher that another key signed.
    await page.route("**/api/v1/receipts/*", async (route) => {
      const response = await route.fetch();
      const receipt = await response.json();
      const { channel } = receipt.payment;
      const signature = channel.voucher.signature.replace(/^0x../, "0x01");
      const payment = {
        ...receipt.payment,
        channel: { ...channel, voucher: { ...channel.voucher, signature } },
      };
      await route.fulfill({ response, json: { ...receipt, payment } });
    });
    await page.reload();
    await page.locator("[data-step=voucher][data-state=failed]").waitFor();
    expect(await page.locator(".standing-good").count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it("shows where a shared answer came from and how to reach it again, and links none of a private one", async () => {
    const { artifactId } = saved.answer.evidenceReference;
    const { page, errors } = tab;
    await goTo(page, `/evidence/${artifactId}`);
    expect(await outcomeOf(page)).toBe("All 4 checks passed.");
    const address = service.contract("transparentProxy").toLowerCase();
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

  it("trusts no reference that was changed on the way or that is of another answer, and finds none for an id that is not one", async () => {
    const { artifactId } = other.answer.evidenceReference;
    const { page } = tab;
    await page.route("**/api/v1/evidence/**", async (route) => {
      const response = await route.fetch();
      const reference = (await response.json()) as PortableEvidence;
      const validity = { ...reference.validity, validUntilBlock: 99_999_999 };
      await route.fulfill({ response, json: { ...reference, validity } });
    });
    await goTo(page, "/evidence");
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
});
