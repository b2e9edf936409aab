import { createClient, type PaidAnswer } from "@assay/client";
import type { Page, Request, Route } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { chooseWallet } from "../testing/chooseWallet.js";
import { it } from "../testing/consoleTest.js";
import { findChromium } from "../testing/findChromium.js";
import { listBarriers } from "../testing/listBarriers.js";
import { service } from "../testing/service.js";

const isInvoke = (url: URL) => url.pathname.endsWith("/invoke");
const isClaim = (url: URL) => url.pathname === "/api/v1/claims";

describe.runIf(findChromium())("paying on a page", { concurrent: true }, () => {
  let other: PaidAnswer;
  /** Whom the service is paid. */
  let payee: string;
  beforeAll(async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    other = await client.call("contract.guard", { address: service.contract("beaconProxy") });
    payee = (await client.receipt(other.answer.invocationId)).payment.payTo;
  });

  const priceOf = (page: Page) => page.getByRole("region", { name: "Price and payment" });
  const payButton = (page: Page) => page.getByRole("button", { name: /^Pay and ask/ });
  const sentPayments = (requests: readonly Request[]) =>
    requests.filter((request) => request.headers()["payment-signature"] !== undefined);
  /** Holds payments back until they are released, and then passes them on with `goOn`. */
  const holdPayments = async (page: Page, goOn: (route: Route) => Promise<void>) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(isInvoke, async (route) => {
      if (!route.request().headers()["payment-signature"]) return route.continue();
      await released;
      await goOn(route);
    });
    return release;
  };
  const answerOther = async (route: Route) =>
    route.fulfill({ response: await route.fetch(), json: other.answer });
  /** Puts another payee into every challenge, as anyone between the page and the service could. */
  const changePayee = (page: Page, isChanged: (url: URL) => boolean) =>
    page.route(isChanged, async (route) => {
      const response = await route.fetch();
      const header = response.headers()["payment-required"];
      if (header === undefined) return route.fulfill({ response });
      const challenge = JSON.parse(Buffer.from(header, "base64").toString());
      for (const option of challenge.accepts) option.payTo = service.wallet("dave").address;
      const changed = Buffer.from(JSON.stringify(challenge)).toString("base64");
      return route.fulfill({ response, headers: { ...response.headers(), "payment-required": changed } });
    });

  it("names beside the price whom it is paid to, before and after a wallet is chosen", async ({ visit }) => {
    const { page } = await visit(`/capabilities/contract.guard?address=${service.contract("plainToken")}`);
    const shown = priceOf(page).getByRole("button", { name: /copy the payee/ });
    await shown.waitFor();
    expect((await shown.getAttribute("title"))?.toLowerCase()).toBe(payee.toLowerCase());
    await chooseWallet(page, "bob");
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    await shown.click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.toLowerCase()).toBe(payee.toLowerCase());
    expect(await listBarriers(page)).toEqual([]);
  });

  it("signs nothing for a payee that the known key has not offered", async ({ visit }) => {
    const { page, requests } = await visit("/capabilities/chain.snapshot", { wallet: "bob" });
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    await changePayee(page, isInvoke);
    await payButton(page).click();
    await priceOf(page)
      .getByText(/offers no payment of/)
      .first()
      .waitFor();
    await page.reload();
    await priceOf(page)
      .getByText(/offers no payment of/)
      .waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    expect(sentPayments(requests)).toEqual([]);
  });

  it("opens no claim by paying another payee, and shows who is paid", async ({ visit }) => {
    const { page, requests } = await visit("/claims", { wallet: "bob" });
    const shown = page.locator(".claim-payee").getByRole("button", { name: /copy the payee/ });
    await shown.waitFor();
    expect((await shown.getAttribute("title"))?.toLowerCase()).toBe(payee.toLowerCase());
    await changePayee(page, isClaim);
    await page.getByLabel("Contract", { exact: true }).fill(service.contract("uupsProxy"));
    await page.getByLabel("Its implementation").fill(service.contract("uupsBoxV1"));
    await page.getByRole("button", { name: "Pay $0.25 and open" }).click();
    await page.getByText(/offers no payment of/).waitFor();
    expect(sentPayments(requests)).toEqual([]);
  });

  it("pays nobody while other keys are stated than are known, until they are accepted", async ({
    expect,
    visit,
  }) => {
    const known = { signer: `0x${"22".repeat(20)}`, logKey: `${"A".repeat(43)}=`, source: "first visit" };
    const { page, requests } = await visit("/capabilities/chain.snapshot", {
      wallet: "bob",
      prepare: (fresh) =>
        fresh.addInitScript((anchors) => {
          if (localStorage.getItem("assay.anchors") === null)
            localStorage.setItem(
              "assay.anchors",
              JSON.stringify({ ...anchors, since: "2026-01-01T00:00:00Z" }),
            );
        }, known),
    });
    await priceOf(page).getByText("The service states other keys than this browser knows").waitFor();
    await priceOf(page)
      .getByText(/offers no payment of/)
      .waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    expect(sentPayments(requests)).toEqual([]);
    await page.getByRole("button", { name: "Accept the new keys" }).click();
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
  });

  it("asks for the price again by itself once the service is back", async ({ visit }) => {
    const { page } = await visit("/capabilities/contract.guard?address=", { wallet: "bob" });
    await page.getByRole("textbox", { name: "address" }).waitFor();
    await page.context().setOffline(true);
    await page.getByText("Paying waits until it does.").waitFor();
    await page.getByRole("textbox", { name: "address" }).fill(service.contract("plainToken"));
    await priceOf(page).getByText("The service cannot be reached").waitFor();
    await page.context().setOffline(false);
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
  });

  it("shows the answer that arrived while the visitor was on another page", async ({ expect, visit }) => {
    const { page, requests } = await visit("/capabilities/chain.snapshot", { wallet: "bob" });
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    const release = await holdPayments(page, (route) => route.continue());
    await payButton(page).click();
    await expect.poll(() => sentPayments(requests).length, { timeout: 20_000 }).toBe(1);
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByRole("heading", { name: "Log", exact: true }).waitFor();
    await page.goBack();
    await priceOf(page).getByRole("button", { name: "Paying and judging…" }).waitFor();
    expect(await page.getByText(/It is not known whether/).count()).toBe(0);
    release();
    await page.getByTestId("verdict").waitFor();
    expect(await page.getByText(/It is not known whether/).count()).toBe(0);
    expect(sentPayments(requests).length).toBe(1);
    await page.reload();
    await page.getByTestId("verdict").waitFor();
  });

  it("says that the outcome is not known to a visitor who left and came back", async ({ expect, visit }) => {
    const { page, requests } = await visit("/capabilities/chain.snapshot", { wallet: "bob" });
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    const release = await holdPayments(page, answerOther);
    await payButton(page).click();
    await expect.poll(() => sentPayments(requests).length, { timeout: 20_000 }).toBe(1);
    await page.getByRole("link", { name: "Log", exact: true }).click();
    release();
    await page.getByRole("heading", { name: "Log", exact: true }).waitFor();
    await page.goBack();
    await page.getByText(/It is not known whether/).waitFor();
    await page.getByText(/An answer came and was refused/).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await page.getByTestId("verdict").waitFor();
  });

  it("lists everything this tab has bought, the newest first, and the newest fifty at most", async ({
    expect,
    visit,
  }) => {
    const old = Array.from({ length: 50 }, (_, place) => ({
      invocationId: `inv_${place}`,
      capabilityId: "chain.snapshot",
      verdict: "allow",
      evidenceReference: { artifactId: `sha256:${String(place).padStart(64, "0")}`, shareable: place > 0 },
      computedAtBlock: 1,
    }));
    const { page } = await visit("/receipts", {
      wallet: "bob",
      prepare: (fresh) =>
        fresh.addInitScript((records) => {
          if (sessionStorage.getItem("assay.bought") === null)
            sessionStorage.setItem("assay.bought", JSON.stringify(records));
        }, old),
    });
    const bought: string[] = [];
    for (const name of ["taxedToken", "erc721"]) {
      await page.goto(`${service.url}/capabilities/contract.guard?address=${service.contract(name)}`);
      await priceOf(page)
        .getByText(/The price is valid for/)
        .waitFor();
      const answered = page.waitForResponse(
        (response) => response.url().includes("/invoke") && response.ok(),
      );
      await payButton(page).click();
      bought.unshift((await (await answered).json()).invocationId);
      await page.getByTestId("verdict").waitFor();
    }
    const names = () =>
      page.locator(".bought a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    await page.getByRole("link", { name: "Receipts", exact: true }).click();
    await page.locator(".bought a").first().waitFor();
    // An answer shown before may still be on the page while the last one is being kept.
    const expected = [...bought, "inv_0"].map((id) => `/receipts/${id}`);
    await expect.poll(async () => (await names()).slice(0, 3), { timeout: 20_000 }).toEqual(expected);
    expect((await names()).length).toBe(50);
    await page.getByRole("link", { name: "Evidence", exact: true }).click();
    await page.locator('.bought a[href^="/evidence/"]').first().waitFor();
    expect((await names()).length).toBe(49);
  });

  it("does not repeat what a quote says against the catalog", async ({ visit }) => {
    const { page } = await visit(`/capabilities/contract.guard?address=${service.contract("minimalProxy")}`, {
      wallet: "bob",
      prepare: (fresh) =>
        fresh.route("**/api/v1/quotes*", async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), cacheStatus: "hit" } });
        }),
    });
    await priceOf(page)
      .getByText("The service calls this a cache hit at $0.10; the catalog lists $0.02 for one.")
      .waitFor();
    expect(await priceOf(page).innerText()).not.toMatch(/A fresh answer exists|The price is valid for/);
    expect(await listBarriers(page)).toEqual([]);
  });

  it("says that an answer about one block is computed for each call, and raises no alarm", async ({
    visit,
  }) => {
    const { claims } = await createClient({ baseUrl: service.url }).claims({ limit: 100 });
    const obligation = claims.find(({ kind }) => kind === "obligation")?.claimId;
    const { page } = await visit(`/capabilities/obligation.verdict?obligationId=${obligation}`, {
      wallet: "bob",
    });
    await payButton(page).click();
    const validity = page.getByTestId("validity");
    await validity.waitFor();
    await page.locator(".verdict-past").waitFor();
    expect(await validity.innerText()).toMatch(/^True at block \d+\. Each call computes a new answer\.$/);
    expect(await page.getByText("No longer holds").count()).toBe(0);
  });

  it("says that an answer came and why it was refused, where it was one to another question", async ({
    visit,
  }) => {
    const address = service.contract("upgradeableProxy");
    const { page } = await visit(`/capabilities/contract.guard?address=${address}`, { wallet: "bob" });
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    (await holdPayments(page, answerOther))();
    await payButton(page).click();
    const doubt = priceOf(page).getByRole("alert");
    await doubt.getByText(/An answer came and was refused: The answer is not to what was asked/).waitFor();
    expect(await page.getByTestId("verdict").count()).toBe(0);
  });

  it("takes no answer that states another price than the one that was signed", async ({ visit }) => {
    const { page } = await visit("/capabilities/chain.snapshot", { wallet: "bob" });
    await page.route(isInvoke, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const lower = { listPriceUsd: 0.0001, creditAppliedUsd: 0, pricePaidUsd: 0.0001 };
      const json = body.pricing ? { ...body, pricing: { ...body.pricing, ...lower } } : body;
      await route.fulfill({ response, json });
    });
    await payButton(page).click();
    await priceOf(page)
      .getByText(/The answer is not to what was paid\..* 0\.0001 USD/)
      .waitFor();
    expect(await page.getByTestId("verdict").count()).toBe(0);
  });
});
