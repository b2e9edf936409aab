import { capabilities, getCapability } from "@assay/capabilities";
import type { CapabilityResult, PaymentPayload, PaymentRequired, Quote, Receipt } from "@assay/protocol";
import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from "@x402/extensions/bazaar";
import {
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  hashReceiptTypedData,
  isEIP712SignedOffer,
  isEIP712SignedReceipt,
  verifyOfferSignatureEIP712,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
} from "@x402/extensions/offer-receipt";
import { appendPaymentIdentifierToExtensions } from "@x402/extensions/payment-identifier";
import { describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, send, signPayment, toHeader } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { findTicket } from "../quotes/ticket.js";
import { createExtensions } from "./extensions.js";

const service = useTestService();

const guardUrl = (contract: "plainToken" | "taxedToken" | "freshToken") =>
  `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts[contract]}`;

test.each(capabilities.map(({ id }) => id))("the example of %s is a valid input", (id) => {
  expect(getCapability(id).input.safeParse(getCapability(id).example).error).toBeUndefined();
});

describe("a challenge", () => {
  test.each(capabilities)(
    "of $id describes to registries how to call it, in a form that the official checks accept",
    async (spec) => {
      const { extensions } = await fetchChallenge(`${service.url}/api/v1/capabilities/${spec.id}/invoke`, {
        method: spec.method,
      });
      const bazaar = extensions?.bazaar as never;
      expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
      expect(validateDiscoveryExtensionSpec(bazaar)).toMatchObject({ valid: true });
    },
  );

  test("of a claim does so too", async () => {
    const { extensions } = await fetchChallenge(`${service.url}/api/v1/claims`, { method: "POST" });
    expect(validateDiscoveryExtension(extensions?.bazaar as never)).toEqual({ valid: true });
  });

  test("carries its price signed by the service's key", async () => {
    const challenge = await fetchChallenge(guardUrl("plainToken"));
    const offers = extractOffersFromPaymentRequired(challenge as never);
    const described = (await (await fetch(`${service.url}/.well-known/assay.json`)).json()) as {
      signingAddress: string;
    };
    expect(offers).toHaveLength(challenge.accepts.length);
    for (const [index, offer] of offers.entries()) {
      if (!isEIP712SignedOffer(offer)) throw new Error("no offer");
      expect(offer.acceptIndex).toBe(index);
      const { signer, payload } = await verifyOfferSignatureEIP712(offer);
      expect(signer.toLowerCase()).toBe(described.signingAddress.toLowerCase());
      const { scheme, amount, payTo, asset } = challenge.accepts[index] as PaymentRequired["accepts"][number];
      expect(payload).toMatchObject({ scheme, amount, payTo, asset });
      const forged = { ...offer, payload: { ...offer.payload, amount: "1" } };
      expect((await verifyOfferSignatureEIP712(forged)).signer).not.toBe(signer);
    }
  });

  test("shares a signed price while it lasts, and never one that ends with an earlier answer", async () => {
    const { describe: describeFor } = createExtensions(service.context.signer, service.context.settings);
    const { accepts } = await fetchChallenge(guardUrl("plainToken"));
    const offerFor = async (leftMs: number) => {
      const extensions = await describeFor("contract.guard", "/", accepts, Date.now() + leftMs);
      const [offer] = extractOffersFromPaymentRequired({ accepts, extensions } as never);
      if (!offer || !isEIP712SignedOffer(offer)) throw new Error("no offer");
      return offer;
    };
    const leftMs = async (ms: number) => Number((await offerFor(ms)).payload.validUntil) * 1_000 - Date.now();
    expect(await leftMs(2_000)).toBeLessThanOrEqual(2_000);
    // The next answer at the same price.
    expect(await leftMs(40_000)).toBeGreaterThan(30_000);
    expect(await leftMs(120_000)).toBeGreaterThan(100_000);
    expect(await offerFor(119_000)).toEqual(await offerFor(120_000));
  });

  test("signs its price for no longer than the ticket or quote stands", async () => {
    const validUntilOf = (challenge: PaymentRequired) => {
      const [offer] = extractOffersFromPaymentRequired(challenge as never);
      if (!offer || !isEIP712SignedOffer(offer)) throw new Error("no offer");
      return Number(offer.payload.validUntil) * 1000;
    };
    const challenge = await fetchChallenge(guardUrl("freshToken"));
    const ticket = findTicket(
      service.context.settings.ticketSecret,
      String(challenge.accepts[0]?.extra.ticket),
    );
    expect(validUntilOf(challenge)).toBeLessThanOrEqual(ticket?.expiresAtMs ?? 0);
    const { address } = accountOf(service, "bob");
    const query = new URLSearchParams({
      capability: "contract.guard",
      wallet: address,
      address: service.chainOf.contracts.freshToken,
    });
    const quote = (await (await fetch(`${service.url}/api/v1/quotes?${query}`)).json()) as Quote;
    const quoted = validUntilOf(await fetchChallenge(quote.invokeUrl));
    expect(quoted).toBeLessThanOrEqual(Date.parse(quote.expiresAt));
    expect(quoted).toBeGreaterThan(Date.parse(quote.expiresAt) - 1000);
  });

  test("names a short URL whole and of a long one only the route, and is bound to the input all the same", async () => {
    const bob = accountOf(service, "bob");
    const route = `${service.url}/api/v1/capabilities/web.compile/invoke`;
    const of = (characters: number, letter: string) => {
      const query = new URLSearchParams({
        url: `https://example.com/${letter.repeat(characters)}`,
        wallet: bob.address,
      });
      return `${route}?${query}`;
    };
    const short = await fetchChallenge(of(100, "a"));
    expect(short.resource.url).toBe(of(100, "a"));
    const long = await fetchChallenge(of(2028, "a"));
    expect(long.resource.url).toBe(route);
    const elsewhere = await send(of(2028, "b"), await signPayment(bob, long));
    expect([elsewhere.status, await elsewhere.json()]).toMatchObject([402, { error: "ticket_mismatch" }]);
  });

  test("of the longest page URL still fits into the header a client sends back", async () => {
    const page = `https://example.com/${"%C3%A4".repeat(338)}`;
    expect(page.length).toBeGreaterThan(2000);
    const bob = accountOf(service, "bob");
    const query = new URLSearchParams({ url: page, wallet: bob.address });
    const challenge = await fetchChallenge(`${service.url}/api/v1/capabilities/web.compile/invoke?${query}`);
    expect(toHeader(await signPayment(bob, challenge)).length).toBeLessThan(10_924);
  });
});

test("a receipt of x402 verifies with the official package and is bound to ours, in the log too", async () => {
  const alice = accountOf(service, "alice");
  const challenge = await fetchChallenge(guardUrl("plainToken"));
  const { response } = await pay(guardUrl("plainToken"), alice);
  const receipt = extractReceiptFromResponse(response);
  if (!receipt || !isEIP712SignedReceipt(receipt)) throw new Error("no receipt");
  const { signer } = await verifyReceiptSignatureEIP712(receipt);
  const [offer] = extractOffersFromPaymentRequired(challenge as never);
  if (!offer || !isEIP712SignedOffer(offer)) throw new Error("no offer");
  expect(verifyReceiptMatchesOffer(receipt, offer.payload as never, [alice.address])).toBe(true);
  const { receiptUrl } = (await response.json()) as CapabilityResult;
  const own = (await (await fetch(receiptUrl)).json()) as Receipt;
  expect(own.x402ReceiptHash).toBe(hashReceiptTypedData(receipt.payload));
  expect(JSON.parse(own.log?.leaf ?? "{}")).toMatchObject({
    x402ReceiptHash: own.x402ReceiptHash,
    transaction: receipt.payload.transaction,
    resultHash: own.resultHash,
  });
  expect((await verifyOfferSignatureEIP712(offer)).signer).toBe(signer);
});

describe("a payment identifier", () => {
  const named = async (url: string, name: string, id: unknown): Promise<PaymentPayload> => {
    const challenge: PaymentRequired = await fetchChallenge(url);
    const payment = await signPayment(accountOf(service, name), challenge);
    const extensions = structuredClone(payment.extensions ?? {});
    if (typeof id === "string" && /^[\w-]{16,128}$/.test(id))
      appendPaymentIdentifierToExtensions(extensions, id);
    else extensions["payment-identifier"] = { info: { required: false, id } };
    return { ...payment, extensions };
  };
  const id = "order-2026-11-16-0001";

  test("buys once: the same payment is answered again, another one is 409 and costs nothing", async () => {
    const url = guardUrl("taxedToken");
    const carol = accountOf(service, "carol");
    const first = await named(url, "carol", id);
    const bought = await send(url, first);
    const body = await bought.text();
    expect(bought.status).toBe(200);
    const before = await balanceOf(service, carol.address);
    const again = await send(url, first);
    expect([again.status, await again.text()]).toEqual([200, body]);
    const resigned = await send(url, await named(url, "carol", id));
    expect([resigned.status, await resigned.json()]).toMatchObject([
      409,
      { code: "payment_identifier_used" },
    ]);
    expect(await balanceOf(service, carol.address)).toBe(before);
    const { receiptUrl } = JSON.parse(body) as CapabilityResult;
    expect(await (await fetch(receiptUrl)).json()).toMatchObject({ paymentIdentifier: id });
  });

  test("is the payer's own: another wallet may use the same", async () => {
    const url = guardUrl("taxedToken");
    expect((await send(url, await named(url, "dave", id))).status).toBe(200);
  });

  test("of many payments that race, one is charged", async () => {
    const url = guardUrl("freshToken");
    const erin = accountOf(service, "erin");
    const before = await balanceOf(service, erin.address);
    const payments = await Promise.all(
      Array.from({ length: 12 }, () => named(url, "erin", "race-0000000000000001")),
    );
    const statuses = await Promise.all(payments.map(async (payment) => (await send(url, payment)).status));
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    const paid = BigInt(payments[0]?.accepted.amount ?? 0);
    expect(before - (await balanceOf(service, erin.address))).toBe(paid);
  });

  test("is free again after a call that charged nothing", async () => {
    const url = `${service.url}/api/v1/capabilities/evidence.artifact/invoke?artifactId=sha256:${"0".repeat(64)}`;
    const used = "void-0000000000000001";
    const guard = guardUrl("plainToken");
    const refused = await send(url, await named(guard, "frank", used));
    expect(refused.status).not.toBe(200);
    expect((await send(guard, await named(guard, "frank", used))).status).toBe(200);
  });

  test.each([["short"], ["has spaces in the middle"], [17], ["x".repeat(129)]])(
    "that breaks its rule is 400 before anything is charged: %s",
    async (bad) => {
      const url = guardUrl("plainToken");
      const response = await send(url, await named(url, "alice", bad));
      expect([response.status, await response.json()]).toMatchObject([
        400,
        {
          code: "invalid_payment_header",
          errors: [{ field: expect.stringContaining("payment-identifier") }],
        },
      ]);
    },
  );
});
