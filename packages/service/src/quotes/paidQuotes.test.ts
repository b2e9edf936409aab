import {
  capabilityResultSchema,
  type PaymentRequired,
  paymentRequiredSchema,
  type Quote,
} from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, priceOf, send, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { getBalance, issueMove, moveCredits } from "../credits/ledger.js";
import { consumeQuote, findQuote } from "./quotes.js";
import { askQuotes } from "./testing/askQuotes.js";
import { insertObligation } from "./testing/insertObligation.js";

const service = useTestService({ RATE_LIMITS: "off" });
let alice: PrivateKeyAccount;
let bob: PrivateKeyAccount;
beforeAll(() => {
  alice = service.account("alice");
  bob = service.account("bob");
});

const { get, quoteFor, guardUrl } = askQuotes(() => service.url);

/** The 402 with this reason, which must come with a price that can be paid without any quote. */
async function refusalOf(response: Response, reason: string): Promise<PaymentRequired> {
  expect(response.status).toBe(402);
  const challenge = paymentRequiredSchema.parse(await response.json());
  expect(challenge.error).toBe(reason);
  expect(challenge.accepts[0]?.extra).toHaveProperty("ticket");
  expect(challenge.accepts[0]?.extra).not.toHaveProperty("quoteId");
  return challenge;
}

/** Pays the challenge at this very URL, stale quote and all. */
async function expectPayable(url: string, account: PrivateKeyAccount, challenge: PaymentRequired) {
  const response = await send(url, await signPayment(account, challenge));
  expect(response.status).toBe(200);
  return capabilityResultSchema.parse(await response.json());
}

describe("paying a quote", () => {
  test("the challenge at its URL is the quoted one, and the price does not move within its life", async () => {
    const contract = service.chainOf.contracts.weth;
    const quote = await quoteFor(alice, contract);
    // Somebody else buys the same answer: the unquoted price falls, the quoted one stands.
    await pay(guardUrl(contract), bob);
    const challenge = await fetchChallenge(quote.invokeUrl);
    expect(challenge.error).toBe("payment_required");
    expect(challenge.accepts.map(({ scheme }) => scheme)).toEqual(["exact", "batch-settlement"]);
    expect(challenge.accepts[0]?.extra.quoteId).toBe(quote.quoteId);
    expect(priceOf(challenge.accepts[0])).toBe(100_000n);
    expect(priceOf((await fetchChallenge(guardUrl(contract))).accepts[0])).toBe(20_000n);

    const before = await balanceOf(service, alice.address);
    const { response } = await pay(quote.invokeUrl, alice);
    expect(response.status).toBe(200);
    expect(capabilityResultSchema.parse(await response.json()).pricing).toEqual({
      quotedCacheStatus: "miss",
      actualCacheStatus: "hit",
      listPriceUsd: 0.1,
      creditAppliedUsd: 0,
      pricePaidUsd: 0.1,
    });
    expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
  });

  test("a used quote buys nothing more; its own payment is still answered again", async () => {
    const quote = await quoteFor(alice, service.chainOf.contracts.uniswapV2Factory);
    const challenge = await fetchChallenge(quote.invokeUrl);
    const first = await signPayment(alice, challenge);
    const second = await signPayment(alice, challenge);
    const answer = await send(quote.invokeUrl, first);
    expect(answer.status).toBe(200);
    const before = await balanceOf(service, alice.address);
    await refusalOf(await send(quote.invokeUrl, second), "quote_used");
    const again = await send(quote.invokeUrl, first);
    expect([again.status, await again.text()]).toEqual([200, await answer.text()]);
    expect(await balanceOf(service, alice.address)).toBe(before);
    const fresh = await refusalOf(await fetch(quote.invokeUrl), "quote_used");
    await expectPayable(quote.invokeUrl, alice, fresh);
  });

  test("an expired quote", async () => {
    const quote = await quoteFor(alice, service.chainOf.contracts.quoterV2);
    const payment = await signPayment(alice, await fetchChallenge(quote.invokeUrl));
    await service.db.query({
      text: "UPDATE quotes SET expires_at = now() - interval '1 second' WHERE quote_id = $1",
      values: [quote.quoteId],
    });
    const before = await balanceOf(service, alice.address);
    await refusalOf(await send(quote.invokeUrl, payment), "quote_expired");
    expect(await balanceOf(service, alice.address)).toBe(before);
    const fresh = await refusalOf(await fetch(quote.invokeUrl), "quote_expired");
    await expectPayable(quote.invokeUrl, alice, fresh);
  });

  test("a quote of another wallet", async () => {
    const quote = await quoteFor(alice, service.chainOf.contracts.swapRouter02);
    const before = await balanceOf(service, bob.address);
    const payment = await signPayment(bob, await fetchChallenge(quote.invokeUrl));
    const fresh = await refusalOf(await send(quote.invokeUrl, payment), "quote_foreign");
    expect(await balanceOf(service, bob.address)).toBe(before);
    await expectPayable(quote.invokeUrl, bob, fresh);
    // The quote itself was not touched: its wallet can still use it.
    expect((await pay(quote.invokeUrl, alice)).response.status).toBe(200);
  });

  test("a quote for other input", async () => {
    const { uniswapV3Factory, uniswapV2Router } = service.chainOf.contracts;
    const quote = await quoteFor(alice, uniswapV3Factory);
    const elsewhere = quote.invokeUrl.replace(uniswapV3Factory.toLowerCase(), uniswapV2Router.toLowerCase());
    expect(elsewhere).not.toBe(quote.invokeUrl);
    const before = await balanceOf(service, alice.address);
    const payment = await signPayment(alice, await fetchChallenge(quote.invokeUrl));
    await refusalOf(await send(elsewhere, payment), "quote_mismatch");
    expect(await balanceOf(service, alice.address)).toBe(before);
    const fresh = await refusalOf(await fetch(elsewhere), "quote_mismatch");
    await expectPayable(elsewhere, alice, fresh);
  });

  test("a quote nobody gave, however its id is spelt", async () => {
    const contract = service.chainOf.contracts.erc1155;
    for (const id of [
      `quo_${"0".repeat(32)}`,
      "nonsense",
      "\0",
      "'; DROP TABLE quotes; --",
      "x".repeat(3000),
    ]) {
      const url = `${guardUrl(contract)}&quote=${encodeURIComponent(id)}`;
      await refusalOf(await fetch(url), "quote_not_found");
    }
    const url = `${guardUrl(contract)}&quote=nonsense`;
    const challenge = await fetchChallenge(url);
    for (const quoteId of [`quo_${"0".repeat(32)}`, "\0"]) {
      const [offer] = challenge.accepts;
      const { ticket: _ticket, ...extra } = offer.extra;
      const accepts: PaymentRequired["accepts"] = [{ ...offer, extra: { ...extra, quoteId } }];
      const payment = await signPayment(alice, { ...challenge, accepts });
      await refusalOf(await send(url, payment), "quote_not_found");
    }
    await expectPayable(url, alice, challenge);
  });

  test("a stale quote in the URL does not spoil a payment made on a fresh challenge", async () => {
    const contract = service.chainOf.contracts.pausableToken;
    const quote = await quoteFor(alice, contract);
    const challenge = await fetchChallenge(guardUrl(contract));
    await service.db.query({
      text: "UPDATE quotes SET expires_at = now() WHERE quote_id = $1",
      values: [quote.quoteId],
    });
    const result = await expectPayable(quote.invokeUrl, alice, challenge);
    expect(result.pricing).toMatchObject({ pricePaidUsd: 0.1, creditAppliedUsd: 0 });
    expect((await findQuote(service.db, quote.quoteId))?.invocationId).toBeNull();
  });
});

describe("credit", () => {
  const give = (account: PrivateKeyAccount, cause: string, microUsd: bigint) =>
    service.db.transaction((tx) =>
      moveCredits(tx, [issueMove(account.address.toLowerCase(), "review", cause, microUsd)]),
    );
  const creditOf = (account: PrivateKeyAccount) =>
    getBalance(service.db, `wallet:${account.address.toLowerCase()}`);

  test("lowers the price, is not held by an unpaid quote, and is spent when the call is paid", async () => {
    const carol = accountOf(service, "carol");
    await give(carol, "lower", 30_000n);
    const contract = service.chainOf.contracts.taxedToken;
    const quotes = [await quoteFor(carol, contract), await quoteFor(carol, contract)];
    for (const quote of quotes)
      expect(quote).toMatchObject({ listPriceUsd: 0.1, creditAppliedUsd: 0.03, priceUsd: 0.07 });
    expect(await creditOf(carol)).toBe(30_000n);
    const before = await balanceOf(service, carol.address);
    const { response } = await pay(quotes[0]?.invokeUrl ?? "", carol);
    expect(response.status).toBe(200);
    expect(capabilityResultSchema.parse(await response.json()).pricing).toMatchObject({
      listPriceUsd: 0.1,
      creditAppliedUsd: 0.03,
      pricePaidUsd: 0.07,
    });
    expect(before - (await balanceOf(service, carol.address))).toBe(70_000n);
    expect(await creditOf(carol)).toBe(0n);

    // The second quote counted on the same credit, which is gone by now.
    const stale = quotes[1] as Quote;
    // Many times: which of two statements of the reservation fails first must not matter.
    for (let attempt = 0; attempt < 8; attempt += 1)
      await refusalOf((await pay(stale.invokeUrl, carol)).response, "quote_credit_spent");
    const late = await pay(stale.invokeUrl, carol);
    const fresh = await refusalOf(late.response, "quote_credit_spent");
    expect(before - (await balanceOf(service, carol.address))).toBe(70_000n);
    expect((await findQuote(service.db, stale.quoteId))?.invocationId).toBeNull();
    await expectPayable(stale.invokeUrl, carol, fresh);
  });

  test("never brings a price below the minimum", async () => {
    const dave = accountOf(service, "dave");
    await give(dave, "floor", 5_000_000n);
    const quote = await quoteFor(dave, service.chainOf.contracts.honeypotToken);
    expect(quote).toMatchObject({ listPriceUsd: 0.1, creditAppliedUsd: 0.099, priceUsd: 0.001 });
    expect((await pay(quote.invokeUrl, dave)).response.status).toBe(200);
    expect(await creditOf(dave)).toBe(4_901_000n);
    const obligationId = `0x${"cd".repeat(32)}`;
    await insertObligation(service.db, obligationId);
    const cheapest = await get({
      capability: "obligation.verdict",
      obligationId,
      wallet: dave.address,
    });
    expect(await cheapest.json()).toMatchObject({
      listPriceUsd: 0.001,
      creditAppliedUsd: 0,
      priceUsd: 0.001,
    });
  });

  test("comes back, with the quote, when the payment is refused", async () => {
    const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts");
    const pauper = privateKeyToAccount(generatePrivateKey());
    await give(pauper, "pauper", 10_000n);
    const quote = await quoteFor(pauper, service.chainOf.contracts.freshToken);
    expect(quote.priceUsd).toBe(0.09);
    for (let attempt = 0; attempt < 3; attempt++) {
      const { response } = await pay(quote.invokeUrl, pauper);
      expect(response.status).toBe(402);
      expect(((await response.json()) as PaymentRequired).error).toMatch(/^payment_refused/);
      expect(await creditOf(pauper)).toBe(10_000n);
      expect((await findQuote(service.db, quote.quoteId))?.invocationId).toBeNull();
    }
  });

  test("is never asked for without a quote", async () => {
    const erin = accountOf(service, "erin");
    await give(erin, "unquoted", 50_000n);
    const { response } = await pay(guardUrl(service.chainOf.contracts.bytes32Token), erin);
    expect(response.status).toBe(200);
    expect(await creditOf(erin)).toBe(50_000n);
  });
});

test("one quote serves one of many racers; reading first and writing after would serve several", async () => {
  const [QUOTES, RACERS] = [50, 20];
  await service.db.query({
    text: `INSERT INTO quotes (quote_id, capability_id, wallet, input_hash, cache_status, list_price_micro_usd,
             credit_micro_usd, price_micro_usd, requirements, expires_at)
           SELECT 'race_' || n, 'contract.guard', '0x', '', 'miss', 1000, 0, 1000, '{}', now() + interval '1 minute'
           FROM generate_series(1, $1::int) n`,
    values: [QUOTES],
  });
  type Take = (quoteId: string, racer: string) => Promise<boolean>;
  // One quote after another: a thousand statements at once would wait for a connection, longer than the pool allows.
  const race = async (take: Take): Promise<number> => {
    let taken = 0;
    for (let n = 1; n <= QUOTES; n++) {
      const attempts = await Promise.all(
        Array.from({ length: RACERS }, (_, racer) => take(`race_${n}`, `${racer}`)),
      );
      taken += attempts.filter(Boolean).length;
    }
    return taken;
  };
  expect(await race((quoteId, racer) => consumeQuote(service.db, quoteId, racer))).toBe(QUOTES);

  // Control: the same race, with a check that is separate from the write.
  await service.db.query({ text: "UPDATE quotes SET invocation_id = NULL WHERE quote_id LIKE 'race%'" });
  const takeNaively: Take = async (quoteId, racer) => {
    const rows = await service.db.query({
      text: "SELECT 1 FROM quotes WHERE quote_id = $1 AND invocation_id IS NULL",
      values: [quoteId],
    });
    if (rows.length === 0) return false;
    await service.db.query({
      text: "UPDATE quotes SET invocation_id = $2 WHERE quote_id = $1",
      values: [quoteId, racer],
    });
    return true;
  };
  expect(await race(takeNaively)).toBeGreaterThan(QUOTES);
});
