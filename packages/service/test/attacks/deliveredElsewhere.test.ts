import { randomBytes } from "node:crypto";
import {
  BASE_MULTICALL3,
  type CapabilityResult,
  capabilityResultSchema,
  type Hex,
  type PaymentPayload,
  type PaymentRequired,
  paymentRequiredSchema,
  quoteSchema,
} from "@assay/protocol";
import { createWalletClient, encodeFunctionData, erc20Abi, http } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test, vi } from "vitest";
import { getBalance, holdMove, issueMove, moveCredits } from "../../src/credits/ledger.js";
import { encodeBatch, encodeTransfer } from "../../src/payments/settlement/transferCall.js";
import { findQuote } from "../../src/quotes/quotes.js";
import { encodeTicket, findTicket } from "../../src/quotes/ticket.js";
import { balanceOf, fetchChallenge, send, signPayment, signTerms } from "../payer.js";
import { useTestService } from "../useTestService.js";

// A payer, or anybody who has seen its payment, brings it to the token instead of the service.
const service = useTestService({ RATE_LIMITS: "off" });

const newPayer = () => privateKeyToAccount(generatePrivateKey());
const guardUrl = (address: string) => service.invokeUrl("contract.guard", { address });
const token = () => service.chainOf.stablecoin.address as Hex;

async function deploy(): Promise<Hex> {
  const { address } = newPayer();
  const code = `0x6002600255${randomBytes(8).toString("hex")}`;
  await service.chainOf.request("hardhat_setCode", [address, code]);
  await mine();
  return address;
}
async function mine(): Promise<void> {
  await service.chainOf.mine(1);
  await service.context.chain.latestBlock();
}
async function sendTransaction(to: Hex, data: Hex): Promise<void> {
  const account = service.account("frank");
  const wallet = createWalletClient({ account, transport: http(service.chainOf.rpcUrl) });
  await wallet.sendTransaction({ to, data, gas: 1_000_000n, chain: null });
  await mine();
}
const encodeFunding = (to: Hex, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
const fund = (to: Hex, amount: bigint) => sendTransaction(token(), encodeFunding(to, amount));
const deliver = (...payments: PaymentPayload[]) =>
  sendTransaction(
    BASE_MULTICALL3,
    encodeBatch(payments.map(({ payload }) => ({ to: token(), call: encodeTransfer(payload) }))),
  );

const untilAfter = (ms: number) => new Promise((done) => setTimeout(done, ms - Date.now() + 1));

/** A payment that was refused because its payer held nothing: it is on record here, and was never sent anywhere. */
async function refuseOnce(
  payer: PrivateKeyAccount,
  url: string,
  challenge?: PaymentRequired,
): Promise<PaymentPayload> {
  const payment = await signPayment(payer, challenge ?? (await fetchChallenge(url)));
  const refused = await send(url, payment);
  expect([refused.status, await refused.text()]).toEqual([
    402,
    expect.stringContaining("insufficient_balance"),
  ]);
  return payment;
}
async function errorOf(response: Response): Promise<string | undefined> {
  const text = await response.text();
  expect(response.status, text).toBe(402);
  return paymentRequiredSchema.parse(JSON.parse(text)).error;
}
async function answerOf(response: Response): Promise<CapabilityResult> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return capabilityResultSchema.parse(JSON.parse(text));
}

/** A challenge whose ticket is about to end, as if the payer had waited. */
async function fetchEnding(url: string) {
  const challenge = await fetchChallenge(url);
  const [offer] = challenge.accepts;
  const { ticketSecret } = service.context.settings;
  const ticket = findTicket(ticketSecret, String(offer.extra.ticket));
  if (!ticket) throw new Error("nothing is offered");
  const expiresAtMs = Date.now() + 2_500;
  const ending = encodeTicket(ticketSecret, { ...ticket, expiresAtMs });
  const accepts: PaymentRequired["accepts"] = [{ ...offer, extra: { ...offer.extra, ticket: ending } }];
  return { challenge: { ...challenge, accepts }, expiresAtMs };
}

test("a use of the nonce after a refused try pays for the same authorization, which is charged once", async () => {
  const payer = newPayer();
  const url = guardUrl(await deploy());
  const payment = await refuseOnce(payer, url);
  await fund(payer.address, 1_000_000n);
  await deliver(payment);
  const before = await balanceOf(service, payer.address);
  expect((await send(url, payment)).status).toBe(200);
  expect(await balanceOf(service, payer.address)).toBe(before);
});

test("one transfer pays for one answer, also where a transaction uses several nonces beside it", async () => {
  const [payer, accomplice] = [newPayer(), newPayer()];
  const urls = [guardUrl(await deploy()), guardUrl(await deploy()), guardUrl(await deploy())] as const;
  const paid = await refuseOnce(payer, urls[0]);
  const unpaid = [await refuseOnce(payer, urls[1]), await refuseOnce(payer, urls[2])] as const;
  await fund(payer.address, 300_000n);
  const back = await Promise.all(
    unpaid.map((payment) => signTerms(payer, payment, { to: accomplice.address })),
  );
  await deliver(back[0] as PaymentPayload, paid, back[1] as PaymentPayload);
  expect(await balanceOf(service, accomplice.address)).toBe(200_000n);
  for (const [index, payment] of unpaid.entries())
    expect(await errorOf(await send(urls[index === 0 ? 1 : 2], payment))).toMatch(
      /used for another transfer/,
    );
  // Control: the one that was paid for.
  expect((await send(urls[0], paid)).status).toBe(200);
});

describe("who delivers a payment itself gets what was offered for it, and no new work at the price of earlier work", () => {
  /** Pays this price on the chain, and spends it under a later offer of the same amount, once the answer has ended. */
  async function spendLate(url: string): Promise<CapabilityResult> {
    const payer = newPayer();
    const payment = await refuseOnce(payer, url);
    await fund(payer.address, 1_000_000n);
    await deliver(payment);
    const [accepted] = (await fetchChallenge(url)).accepts;
    if (!accepted) throw new Error("nothing is offered");
    expect(accepted.amount).toBe(payment.accepted.amount);
    await service.db.query({ text: "UPDATE artifacts SET fresh_until = now()" });
    return answerOf(await send(url, { ...payment, accepted }));
  }

  test("of a stored answer", async () => {
    const url = service.invokeUrl("contract.interface", { address: service.chainOf.contracts.plainToken });
    const first = await service.buy(url, "alice");
    const late = await spendLate(url);
    expect(late.pricing).toMatchObject({ actualCacheStatus: "hit", pricePaidUsd: 0.01 });
    expect(late.evidenceReference.artifactId).toBe(first.evidenceReference.artifactId);
  });

  test("of an artifact, whose dear answer is not computed again at the price of its envelope", async () => {
    const address = service.chainOf.contracts.permissionedToken;
    const { evidenceReference } = await service.buy(
      service.invokeUrl("rwa.market.guard", { address }),
      "alice",
    );
    const { artifactId } = evidenceReference;
    const late = await spendLate(service.invokeUrl("evidence.artifact", { artifactId }));
    expect(late.pricing.pricePaidUsd).toBe(0.01);
    expect(late.result.reasonCodes).toEqual(["ARTIFACT_EXPIRED"]);
    expect(late.result.refreshed).toBeUndefined();
  });
});

describe("a payment that failed on the chain is there for everybody to deliver", () => {
  async function failOnce(payer: PrivateKeyAccount, url: string) {
    const { challenge, expiresAtMs } = await fetchEnding(url);
    const payment = await signPayment(payer, challenge);
    // Its wallet was emptied after it was found good.
    vi.spyOn(service.context.facilitator, "verify").mockResolvedValueOnce({ status: "valid" });
    expect(await errorOf(await send(url, payment))).toMatch(/^payment_failed/);
    return { payment, expiresAtMs };
  }

  test("once somebody has, its answer is owed, however late its payer asks", async () => {
    const payer = newPayer();
    const url = guardUrl(await deploy());
    const { payment, expiresAtMs } = await failOnce(payer, url);
    await fund(payer.address, 1_000_000n);
    await deliver(payment);
    await untilAfter(expiresAtMs);
    const before = await balanceOf(service, payer.address);
    expect(await answerOf(await send(url, payment))).toMatchObject({ pricing: { pricePaidUsd: 0.1 } });
    expect(await balanceOf(service, payer.address)).toBe(before);
  });

  test("control: while nobody has, its offer ends as any other", async () => {
    const url = guardUrl(await deploy());
    const { payment, expiresAtMs } = await failOnce(newPayer(), url);
    await untilAfter(expiresAtMs);
    expect(await errorOf(await send(url, payment))).toBe("ticket_expired");
  });
});

describe("a payment with credit that failed on the chain, and that somebody has delivered since", () => {
  const CREDIT = 80_000n;

  /** 0.02 USD and 0.08 of credit; the credit goes back when the payment fails. */
  async function failQuoted() {
    const payer = newPayer();
    const wallet = payer.address.toLowerCase();
    await service.db.transaction((tx) => moveCredits(tx, [issueMove(wallet, "review", wallet, CREDIT)]));
    const quoted = await fetch(service.quoteUrl("contract.guard", wallet, { address: await deploy() }));
    const { invokeUrl } = quoteSchema.parse(await quoted.json());
    const payment = await signPayment(payer, await fetchChallenge(invokeUrl));
    vi.spyOn(service.context.facilitator, "verify").mockResolvedValueOnce({ status: "valid" });
    expect(await errorOf(await send(invokeUrl, payment))).toMatch(/^payment_failed/);
    const balance = () => getBalance(service.db, `wallet:${wallet}`);
    expect(await balance()).toBe(CREDIT);
    await fund(payer.address, 1_000_000n);
    await deliver(payment);
    return { wallet, invokeUrl, payment, balance };
  }

  test("takes its credit again with its answer", async () => {
    const { invokeUrl, payment, balance } = await failQuoted();
    const { pricing } = await answerOf(await send(invokeUrl, payment));
    expect(pricing).toMatchObject({ pricePaidUsd: 0.02, creditAppliedUsd: 0.08 });
    expect(await balance()).toBe(0n);
  });

  test("is refused where its credit has gone to another answer", async () => {
    const { wallet, invokeUrl, payment, balance } = await failQuoted();
    await service.db.transaction((tx) => moveCredits(tx, [holdMove(wallet, "another#1", CREDIT)]));
    expect(await errorOf(await send(invokeUrl, payment))).toBe("quote_credit_spent");
    expect(await balance()).toBe(0n);
  });
});

describe("a payment that was refused at first, and that somebody has delivered since, is owed its answer", () => {
  test("although its ticket has ended", async () => {
    const payer = newPayer();
    const url = guardUrl(await deploy());
    const { challenge, expiresAtMs } = await fetchEnding(url);
    const payment = await refuseOnce(payer, url, challenge);
    await untilAfter(expiresAtMs);
    // Control: while nobody has delivered it.
    expect(await errorOf(await send(url, payment))).toBe("ticket_expired");
    await fund(payer.address, 1_000_000n);
    await deliver(payment);
    const before = await balanceOf(service, payer.address);
    expect(await answerOf(await send(url, payment))).toMatchObject({ pricing: { pricePaidUsd: 0.1 } });
    expect(await balanceOf(service, payer.address)).toBe(before);
  });

  test("although its quote has ended, which then names the call that used it", async () => {
    const payer = newPayer();
    const input = { address: await deploy() };
    const quoted = await fetch(service.quoteUrl("contract.guard", payer.address.toLowerCase(), input));
    const { invokeUrl, quoteId } = quoteSchema.parse(await quoted.json());
    const payment = await refuseOnce(payer, invokeUrl);
    await service.db.query({
      text: "UPDATE quotes SET expires_at = now() WHERE quote_id = $1",
      values: [quoteId],
    });
    await fund(payer.address, 1_000_000n);
    await deliver(payment);
    const { invocationId } = await answerOf(await send(invokeUrl, payment));
    expect((await findQuote(service.db, quoteId))?.invocationId).toBe(invocationId);
  });

  test("although its validity has ended", async () => {
    const payer = newPayer();
    const url = guardUrl(await deploy());
    const challenge = await fetchChallenge(url);
    // Shorter than offered, as a payer may choose; it must outlive the work by ten seconds.
    const [accepted] = challenge.accepts;
    const accepts: PaymentRequired["accepts"] = [{ ...accepted, maxTimeoutSeconds: 13 }];
    const payment = { ...(await signPayment(payer, { ...challenge, accepts })), accepted };
    expect(await errorOf(await send(url, payment))).toMatch(/insufficient_balance/);
    await fund(payer.address, 1_000_000n);
    await deliver(payment);
    await untilAfter(1000 * (Number(payment.payload.authorization.validBefore) - 9));
    expect((await answerOf(await send(url, payment))).pricing.pricePaidUsd).toBe(0.1);
  });

  test("although its payer's balance does not cover what it owes for another call", async () => {
    const payer = newPayer();
    const url = guardUrl(await deploy());
    const payment = await refuseOnce(payer, url);
    const { facilitator } = service.context;
    vi.spyOn(facilitator, "verify").mockResolvedValueOnce({ status: "valid" });
    vi.spyOn(facilitator, "settle").mockResolvedValueOnce({ status: "unknown", reason: "no receipt" });
    const otherUrl = guardUrl(await deploy());
    const other = await signPayment(payer, await fetchChallenge(otherUrl));
    expect((await send(otherUrl, other)).status).toBe(503);
    // In one transaction: between two, the service would deliver the other payment.
    const value = BigInt(payment.payload.authorization.value);
    await fund(BASE_MULTICALL3, value);
    const calls = [encodeFunding(payer.address, value), encodeTransfer(payment.payload)];
    await sendTransaction(BASE_MULTICALL3, encodeBatch(calls.map((call) => ({ to: token(), call }))));
    expect(await balanceOf(service, payer.address)).toBe(0n);
    expect((await answerOf(await send(url, payment))).pricing.pricePaidUsd).toBe(0.1);
  });
});
