import { createClient, type PaidAnswer } from "@assay/client";
import type { Page, Request, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findChromium } from "../testing/findChromium.js";
import { goTo } from "../testing/goTo.js";
import { listBarriers } from "../testing/listBarriers.js";
import { openTab, type Tab } from "../testing/openTab.js";
import { hurryUntil, passTime } from "../testing/passTime.js";
import { service } from "../testing/service.js";

const isInvoke = (url: URL) => url.pathname.endsWith("/invoke");
const isClaim = (url: URL) => url.pathname === "/api/v1/claims";

describe.runIf(findChromium())("paying on a page", () => {
  /** One visitor, in the order of the tests; the first of them chooses the wallet. */
  let tab: Tab;
  let other: PaidAnswer;
  /** Whom the service is paid. */
  let payee: string;
  beforeAll(async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    other = await client.call("contract.guard", { address: service.contract("cloneFactory") });
    payee = (await client.receipt(other.answer.invocationId)).payment.payTo;
    // Nobody else buys an answer about it, which would lower the price.
    tab = await openTab(`/capabilities/token.metadata?address=${service.contract("bytes32Token")}`);
  });
  afterEach(() => tab?.page.unrouteAll({ behavior: "ignoreErrors" }));
  afterAll(() => tab?.close());

  /** Leaves the page that is shown, whose form would keep its input. */
  const open = async (page: Page, path: string) => {
    await goTo(page, "/verify");
    await page.getByRole("heading", { name: "Verify", exact: true }).waitFor();
    await goTo(page, path);
  };
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

  it("shows the price and whom it is paid to before a wallet is chosen, and how long a quote is valid once one is", async () => {
    const { page } = tab;
    const price = priceOf(page);
    await price.getByText("$0.03", { exact: true }).waitFor();
    await price.getByText("Read and computed for you").waitFor();
    expect(await payButton(page).count()).toBe(0);
    const shown = price.getByRole("button", { name: /copy the payee/ });
    expect((await shown.getAttribute("title"))?.toLowerCase()).toBe(payee.toLowerCase());
    await price.getByRole("button", { name: "Choose a wallet to pay" }).click();
    // The stored answer that the first price is of ends before the payment for it is prepared.
    let quoted = 0;
    await page.route(isInvoke, async (route) => {
      quoted += 1;
      if (quoted > 1) return route.continue();
      const response = await route.fetch();
      const challenge = JSON.parse(
        Buffer.from(response.headers()["payment-required"] ?? "", "base64").toString(),
      );
      const ended = Buffer.from(JSON.stringify({ ...challenge, error: "quote_expired" })).toString("base64");
      return route.fulfill({ response, headers: { ...response.headers(), "payment-required": ended } });
    });
    await page.getByLabel(/^Test wallet/).selectOption("bob");
    await page.keyboard.press("Escape");
    await price.getByText(/The price is valid for [1-6]?\d s\./).waitFor();
    expect(quoted).toBe(2);
    expect(await price.innerText()).toContain("play money");
    await shown.click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.toLowerCase()).toBe(payee.toLowerCase());
    expect(await listBarriers(page)).toEqual([]);
  });

  it("signs nothing for a payee that the known key has not offered, neither for an answer nor for a claim", async () => {
    const { page, requests } = tab;
    await goTo(page, "/claims");
    const shown = page.locator(".claim-payee").getByRole("button", { name: /copy the payee/ });
    await shown.waitFor();
    expect((await shown.getAttribute("title"))?.toLowerCase()).toBe(payee.toLowerCase());
    await changePayee(page, isClaim);
    await page.getByLabel("Contract", { exact: true }).fill(service.contract("uupsProxy"));
    await page.getByLabel("Its implementation").fill(service.contract("uupsBoxV1"));
    await page.getByRole("button", { name: "Pay $0.25 and open" }).click();
    await page.getByText(/offers no payment of/).waitFor();

    // Nobody buys an answer about it, so its price does not end with a stored one.
    const path = `/capabilities/contract.guard?address=${service.contract("modularCompliance")}`;
    await open(page, path);
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    await changePayee(page, isInvoke);
    await payButton(page).click();
    await priceOf(page)
      .getByText(/offers no payment of/)
      .first()
      .waitFor();
    // Nor does a page that meets the other payee first.
    await open(page, path);
    await priceOf(page)
      .getByText(/offers no payment of/)
      .waitFor();
    expect(await payButton(page).isDisabled()).toBe(true);
    expect(sentPayments(requests)).toEqual([]);
  });

  it("repeats nothing that a quote says against the catalog, and renews a price that has run out instead of paying it", async () => {
    let change: (quote: object) => object = (quote) => ({ ...quote, cacheStatus: "hit" });
    const { page } = tab;
    await page.route("**/api/v1/quotes*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: change(await response.json()) });
    });
    await open(page, `/capabilities/contract.guard?address=${service.contract("minimalProxy")}`);
    await priceOf(page)
      .getByText(
        "The service asks $0.10 for an answer shared from an earlier call; the catalog lists $0.02 for one.",
      )
      .waitFor();
    expect(await priceOf(page).innerText()).not.toMatch(/Somebody asked the same|The price is valid for/);
    expect(await listBarriers(page)).toEqual([]);

    change = (quote) => ({ ...quote, expiresAt: new Date(Date.now() + 20_000).toISOString() });
    await page.getByRole("textbox", { name: "address" }).fill(service.contract("legacyProxy"));
    await page.getByText(/The price is valid for [12]?\d s/).waitFor();
    await passTime(page, 20_000);
    await page.getByText("This price has expired.").waitFor();
    expect(await payButton(page).count()).toBe(0);
    change = (quote) => quote;
    await page.getByRole("button", { name: "Renew the price" }).click();
    await page.getByText(/The price is valid for \d\d s/).waitFor();
  });

  it("lets nobody pay while the service is down, and asks for the price again by itself once it is back", async () => {
    const { page } = tab;
    await open(page, `/capabilities/contract.guard?address=${service.contract("boxV1")}`);
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    await expect.poll(() => payButton(page).isEnabled()).toBe(true);
    await page.context().setOffline(true);
    await hurryUntil(page, page.getByText("Paying waits until it does."));
    expect(await payButton(page).isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "address" }).fill(service.contract("boxV2"));
    await priceOf(page).getByText("The service cannot be reached").waitFor();
    await page.context().setOffline(false);
    await hurryUntil(page, priceOf(page).getByText(/The price is valid for/));
  });

  it("shows what becomes of a payment while the visitor is on another page, and lists all that the tab has bought", async () => {
    const old = Array.from({ length: 50 }, (_, place) => ({
      invocationId: `inv_${place}`,
      capabilityId: "chain.snapshot",
      verdict: "allow",
      evidenceReference: { artifactId: `sha256:${String(place).padStart(64, "0")}`, shareable: place > 0 },
      computedAtBlock: 1,
    }));
    // Its answers hold for a week, so no price ends while a payment is held back.
    const address = service.contract("erc721");
    const { page, requests } = tab;
    await page.evaluate((records) => sessionStorage.setItem("assay.bought", JSON.stringify(records)), old);
    await open(page, `/capabilities/contract.interface?address=${address}`);
    const before = sentPayments(requests).length;
    const countSent = () => sentPayments(requests).length - before;
    const bought: string[] = [];
    page.on("response", async (response) => {
      if (isInvoke(new URL(response.url())) && response.ok())
        bought.unshift(`/receipts/${(await response.json()).invocationId}`);
    });
    const leaveWhilePaying = async (payments: number) => {
      await payButton(page).click();
      await expect.poll(countSent).toBe(payments);
      await page.getByRole("link", { name: "Verify", exact: true }).click();
      await page.getByRole("heading", { name: "Verify", exact: true }).waitFor();
    };

    // Back before the answer.
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    const release = await holdPayments(page, (route) => route.continue());
    await leaveWhilePaying(1);
    await page.goBack();
    await priceOf(page).getByRole("button", { name: "Paying and judging…" }).waitFor();
    expect(await page.getByText(/It is not known whether/).count()).toBe(0);
    release();
    await page.getByTestId("verdict").waitFor();
    expect(await page.getByText(/It is not known whether/).count()).toBe(0);
    expect(countSent()).toBe(1);
    await page.unrouteAll({ behavior: "wait" });
    await page.reload();
    await page.getByTestId("verdict").waitFor();

    // Back after an answer to another question.
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    const releaseOther = await holdPayments(page, answerOther);
    await leaveWhilePaying(2);
    releaseOther();
    await page.goBack();
    await page.getByText(/It is not known whether/).waitFor();
    await page.getByText(/An answer came and was refused/).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await page.getByText(/It is not known whether/).waitFor({ state: "detached" });

    // The newest first, and the newest fifty at most.
    const listed = () =>
      page.locator(".bought a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    await page.getByRole("link", { name: "Records", exact: true }).click();
    await page.getByRole("link", { name: "Receipts", exact: true }).click();
    await page.locator(".bought a").first().waitFor();
    const mine = () => bought.filter((path) => path !== `/receipts/${other.answer.invocationId}`);
    await expect.poll(() => mine().length).toBe(2);
    await expect
      .poll(async () => (await listed()).slice(0, 3), { timeout: 20_000 })
      .toEqual([...mine(), "/receipts/inv_0"]);
    expect((await listed()).length).toBe(50);
    await page.getByRole("link", { name: "Evidence", exact: true }).click();
    await page.locator('.bought a[href^="/evidence/"]').first().waitFor();
    // Of the fifty, the two bought here may be one piece of evidence, and one of the others is not shared.
    expect((await listed()).filter((path) => /0{50}/.test(path ?? "")).length).toBe(47);
  });

  it("pays again by itself where a price has ended and the new one is no higher, and says what a higher one is", async () => {
    const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
    const { page, requests } = tab;
    const before = sentPayments(requests).length;
    await open(page, `/capabilities/token.metadata?address=${service.contract("erc1155")}`);
    const valid = priceOf(page).getByText(/The price is valid for/);
    await valid.waitFor();
    // The service refuses a payment whose price has ended; what is asked next has the price of that moment.
    let refusals = 1;
    await page.route(isInvoke, async (route) => {
      if (!route.request().headers()["payment-signature"] || refusals-- <= 0) return route.continue();
      const challenge = { x402Version: 2, error: "quote_expired", resource: { url: "x" }, accepts: [] };
      const header = Buffer.from(JSON.stringify(challenge)).toString("base64");
      return route.fulfill({ status: 402, headers: { "payment-required": header }, json: challenge });
    });
    await payButton(page).click();
    await page.getByTestId("verdict").waitFor();
    const [first, second, ...more] = sentPayments(requests)
      .slice(before)
      .map((request) => request.headers()["payment-signature"]);
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
    expect(await priceOf(page).getByRole("alert").count()).toBe(0);

    // Shown while an answer was stored, and paid after it has ended. Another test may have bought a newer one meanwhile, which has
    // the confirmed price: then once more.
    const higher = priceOf(page).getByText(
      /You confirmed \$0\.00\d+; a new answer costs \$0\.00\d+\. Nothing was charged\./,
    );
    const payWhenEnded = async () => {
      const { answer } = await client.call("chain.snapshot", {});
      const isLive = async () => (await client.evidence(answer.evidenceReference.artifactId)).validity.isLive;
      await open(page, "/capabilities/chain.snapshot");
      await priceOf(page).getByText("Somebody asked the same just now").waitFor();
      await page.unrouteAll({ behavior: "wait" });
      await page.route(isInvoke, async (route) => {
        if (route.request().headers()["payment-signature"])
          while (await isLive()) await new Promise((resume) => setTimeout(resume, 50));
        return route.continue();
      });
      const sent = sentPayments(requests).length;
      const served = page.waitForResponse((response) => isInvoke(new URL(response.url())) && response.ok());
      await payButton(page).click();
      const isRefused = await Promise.race([
        higher.waitFor().then(() => true),
        served.then(
          () => false,
          () => true,
        ),
      ]);
      if (isRefused) expect(sentPayments(requests).length).toBe(sent + 1);
      return isRefused;
    };
    while (!(await payWhenEnded()));
    await higher.waitFor();
  });

  it("takes no answer to another question and none that states another price than the one that was signed, and says why", async () => {
    const { page } = tab;
    await open(page, `/capabilities/contract.guard?address=${service.contract("proxyAdmin")}`);
    await priceOf(page)
      .getByText(/The price is valid for/)
      .waitFor();
    (await holdPayments(page, answerOther))();
    await payButton(page).click();
    const doubt = priceOf(page).getByRole("alert");
    await doubt
      .getByText(/An answer came and was refused: The answer is not to what was asked/)
      .waitFor({ timeout: 60_000 });
    expect(await page.getByTestId("verdict").count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    await page.route(isInvoke, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const lower = { listPriceUsd: 0.0001, creditAppliedUsd: 0, pricePaidUsd: 0.0001 };
      const json = body.pricing ? { ...body, pricing: { ...body.pricing, ...lower } } : body;
      await route.fulfill({ response, json });
    });
    await page.getByRole("button", { name: "Send the same payment again" }).click();
    await priceOf(page)
      .getByText(/The answer is not to what was paid\..* 0\.0001 USD/)
      .waitFor();
    expect(await page.getByTestId("verdict").count()).toBe(0);
  });
});
