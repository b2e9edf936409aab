import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema, paymentRequiredSchema, receiptSchema } from "@assay/protocol";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, priceOf, send, signPayment } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";

const service = useTestService();
const guardUrl = (address: string) => service.invokeUrl("contract.guard", { address });

const errorOf = async (response: Response) => {
  expect(response.status).toBe(402);
  const challenge = paymentRequiredSchema.parse(await response.json());
  const header = JSON.parse(Buffer.from(response.headers.get("payment-required") ?? "", "base64").toString());
  expect(header).toEqual(challenge);
  return challenge.error;
};

async function countInvocations(state: string): Promise<number> {
  const rows = await service.db.query<{ n: bigint }>({
    text: "SELECT count(*) n FROM invocations WHERE state = $1",
    values: [state],
  });
  return Number(rows[0]?.n);
}

describe("an ordinary purchase", () => {
  test("the official client buys a guard and pays exactly the price on chain", async () => {
    const alice = accountOf(service, "alice");
    const before = await balanceOf(service, alice.address);
    const earnedBefore = await balanceOf(service, service.context.settings.payTo);
    const buy = wrapFetchWithPayment(
      fetch,
      new x402Client().register("eip155:8453", new ExactEvmScheme(alice)),
    );
    const response = await buy(guardUrl(service.chainOf.contracts.upgradeableProxy));
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("private");
    const result = capabilityResultSchema.parse(await response.json());
    expect(result.pricing).toMatchObject({ actualCacheStatus: "miss", pricePaidUsd: 0.1 });
    expect(before - (await balanceOf(service, alice.address))).toBe(100_000n);
    expect((await balanceOf(service, service.context.settings.payTo)) - earnedBefore).toBe(100_000n);

    const receipt = receiptSchema.parse(await (await fetch(result.receiptUrl)).json());
    const settlement = JSON.parse(
      Buffer.from(response.headers.get("payment-response") ?? "", "base64").toString(),
    );
    expect(receipt).toMatchObject({
      state: "settled",
      charged: true,
      payment: { amount: "100000", transaction: settlement.transaction },
    });
    expect(receipt.resultHash).toBe(result.evidenceReference.resultHash);
    const mined = await service.chainOf.request<{ status: string }>("eth_getTransactionReceipt", [
      settlement.transaction,
    ]);
    expect(mined.status).toBe("0x1");
  });

  test("miss, then hit, then partial once the answer is stale but the code is known", async () => {
    const { plainToken } = service.chainOf.contracts;
    const url = guardUrl(plainToken);
    const prices: unknown[] = [];
    for (const account of ["alice", "bob"]) {
      // Other processes, and this one, learn of a fresh answer by notification.
      if (account === "bob")
        await until(async () => priceOf((await fetchChallenge(url)).accepts[0]) === 20_000n || undefined);
      const { response } = await pay(url, accountOf(service, account));
      prices.push(((await response.json()) as { pricing: unknown }).pricing);
    }
    await service.db.query({ text: "UPDATE artifacts SET fresh_until = now()" });
    const quoted = (await (
      await fetch(
        `${service.url}/api/v1/quotes?capability=contract.guard&address=${plainToken}&wallet=${accountOf(service, "bob").address}`,
      )
    ).json()) as { invokeUrl: string; cacheStatus: string };
    expect(quoted.cacheStatus).toBe("partial");
    const { response } = await pay(quoted.invokeUrl, accountOf(service, "bob"));
    prices.push(((await response.json()) as { pricing: unknown }).pricing);
    expect(prices).toEqual([
      {
        quotedCacheStatus: "miss",
        actualCacheStatus: "miss",
        listPriceUsd: 0.1,
        creditAppliedUsd: 0,
        pricePaidUsd: 0.1,
      },
      {
        quotedCacheStatus: "hit",
        actualCacheStatus: "hit",
        listPriceUsd: 0.02,
        creditAppliedUsd: 0,
        pricePaidUsd: 0.02,
      },
      {
        quotedCacheStatus: "partial",
        actualCacheStatus: "partial",
        listPriceUsd: 0.05,
        creditAppliedUsd: 0,
        pricePaidUsd: 0.05,
      },
    ]);
  });

  test("a contract wallet pays with an ERC-1271 signature", async () => {
    const { wallet1271, erc721 } = service.chainOf.contracts;
    const owner = accountOf(service, "alice");
    const before = await balanceOf(service, wallet1271);
    const wallet = { ...owner, address: wallet1271 } as typeof owner;
    const payment = await signPayment(wallet, await fetchChallenge(guardUrl(erc721)));
    expect(payment.payload.authorization.from.toLowerCase()).toBe(wallet1271.toLowerCase());
    const response = await send(guardUrl(erc721), payment);
    expect(response.status).toBe(200);
    expect(before - (await balanceOf(service, wallet1271))).toBe(100_000n);
    const forged = await signPayment(
      { ...accountOf(service, "bob"), address: wallet1271 } as typeof owner,
      await fetchChallenge(guardUrl(erc721)),
    );
    expect(await errorOf(await send(guardUrl(erc721), forged))).toBe("signature_invalid");
  });
});

describe("one payment, one charge", () => {
  test("forty concurrent requests with one payment are charged once and computed once", async () => {
    const carol = accountOf(service, "carol");
    const url = guardUrl(service.chainOf.contracts.uupsProxy);
    const payment = await signPayment(carol, await fetchChallenge(url));
    const before = await balanceOf(service, carol.address);
    const settledBefore = await countInvocations("settled");
    const responses = await Promise.all(Array.from({ length: 40 }, () => send(url, payment)));
    const bodies = new Set<string>();
    for (const response of responses) {
      const text = await response.text();
      if (response.status === 200) bodies.add(text);
      else {
        expect(response.status).toBe(503);
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(JSON.parse(text).code).toBe("payment_in_flight");
      }
    }
    expect(bodies.size).toBe(1);
    expect(before - (await balanceOf(service, carol.address))).toBe(100_000n);
    expect((await countInvocations("settled")) - settledBefore).toBe(1);

    const again = await Promise.all(Array.from({ length: 5 }, () => send(url, payment)));
    for (const response of again) {
      expect(response.status).toBe(200);
      expect(bodies).toContain(await response.text());
      expect(response.headers.get("payment-response")).toBeTruthy();
    }
    expect(before - (await balanceOf(service, carol.address))).toBe(100_000n);
  });

  test("the same authorization cannot buy a second, different request", async () => {
    const carol = accountOf(service, "carol");
    const first = guardUrl(service.chainOf.contracts.beaconProxy);
    const { payment, response } = await pay(first, carol);
    expect(response.status).toBe(200);
    const second = guardUrl(service.chainOf.contracts.minimalProxy);
    const other = await fetchChallenge(second);
    const before = await balanceOf(service, carol.address);
    expect(await errorOf(await send(second, payment))).toBe("ticket_mismatch");
    // The signature does not cover `accepted`, so a thief may swap it; the nonce shows the theft.
    const [accepted] = other.accepts;
    expect(
      await errorOf(await send(second, { ...payment, accepted: accepted as typeof payment.accepted })),
    ).toBe("payment_already_used");
    expect(await balanceOf(service, carol.address)).toBe(before);
  });
});

describe("payments that are refused are not charged", () => {
  const cases: [string, RegExp, (payment: Awaited<ReturnType<typeof signPayment>>) => unknown][] = [
    [
      "an authorization for less than the accepted amount",
      /^signature_invalid/,
      (p) => {
        p.payload.authorization.value = "1";
      },
    ],
    [
      "another recipient",
      /^signature_invalid/,
      (p) => {
        p.payload.authorization.to = "0x1111111111111111111111111111111111111111";
      },
    ],
    [
      "a changed ticket",
      /^ticket_invalid/,
      (p) => {
        p.accepted.extra.ticket = `${String(p.accepted.extra.ticket).slice(0, -2)}AA`;
      },
    ],
    [
      "no ticket and no quote",
      /^ticket_missing/,
      (p) => {
        p.accepted.extra = { name: "USD Coin", version: "2" };
      },
    ],
    [
      "a flipped bit in the signature",
      /^signature_invalid/,
      (p) => {
        const last = p.payload.signature.at(-10) === "0" ? "1" : "0";
        p.payload.signature = p.payload.signature.slice(0, -10) + last + p.payload.signature.slice(-9);
      },
    ],
    [
      "a longer validity than was signed",
      /^signature_invalid/,
      (p) => {
        p.payload.authorization.validBefore = String(Number(p.payload.authorization.validBefore) + 1);
      },
    ],
    [
      "another nonce than was signed",
      /^signature_invalid/,
      (p) => {
        p.payload.authorization.nonce = `0x${"ab".repeat(32)}`;
      },
    ],
  ];
  test.each(cases)("%s", async (_name, error, tamper) => {
    const dave = accountOf(service, "dave");
    const url = guardUrl(service.chainOf.contracts.legacyProxy);
    const payment = await signPayment(dave, await fetchChallenge(url));
    const before = await balanceOf(service, dave.address);
    tamper(payment);
    expect(await errorOf(await send(url, payment))).toMatch(error);
    expect(await balanceOf(service, dave.address)).toBe(before);
  });

  test("a lower price, properly signed", async () => {
    const dave = accountOf(service, "dave");
    const url = guardUrl(service.chainOf.contracts.legacyProxy);
    const challenge = await fetchChallenge(url);
    const [offer] = challenge.accepts;
    const cheap = await signPayment(dave, { ...challenge, accepts: [{ ...offer, amount: "1" }] });
    expect(await errorOf(await send(url, cheap))).toBe("requirements_mismatch");
  });

  test("another recipient, properly signed", async () => {
    const dave = accountOf(service, "dave");
    const url = guardUrl(service.chainOf.contracts.legacyProxy);
    const challenge = await fetchChallenge(url);
    const payTo = "0x1111111111111111111111111111111111111111" as const;
    const [offer] = challenge.accepts;
    const diverted = await signPayment(dave, { ...challenge, accepts: [{ ...offer, payTo }] });
    expect(await errorOf(await send(url, diverted))).toBe("authorization_mismatch");
  });

  test("a payer without money gets 402 with the reason, and may pay later with the same payload", async () => {
    const { generatePrivateKey, privateKeyToAccount } = await import("viem/accounts");
    const pauper = privateKeyToAccount(generatePrivateKey());
    const url = guardUrl(service.chainOf.contracts.eip1822Proxy);
    const payment = await signPayment(pauper, await fetchChallenge(url));
    expect(await errorOf(await send(url, payment))).toMatch(/^payment_refused: .*insufficient_balance/);
    await giveStablecoin(pauper.address, 1_000_000n);
    const response = await send(url, payment);
    expect(response.status).toBe(200);
    expect(await balanceOf(service, pauper.address)).toBe(900_000n);
  });

  test("an authorization that stays usable for hours is refused", async () => {
    const dave = accountOf(service, "dave");
    const url = guardUrl(service.chainOf.contracts.legacyProxy);
    const challenge = await fetchChallenge(url);
    const [accepted] = challenge.accepts;
    const long = { ...challenge, accepts: [{ ...accepted, maxTimeoutSeconds: 7200 }] } as typeof challenge;
    const payment = await signPayment(dave, long);
    expect(
      await errorOf(await send(url, { ...payment, accepted: accepted as typeof payment.accepted })),
    ).toBe("authorization_mismatch");
  });

  test("an expired authorization is refused before any work", async () => {
    const dave = accountOf(service, "dave");
    const url = guardUrl(service.chainOf.contracts.legacyProxy);
    const challenge = await fetchChallenge(url);
    const [accepted] = challenge.accepts;
    const short = { ...challenge, accepts: [{ ...accepted, maxTimeoutSeconds: 1 }] } as typeof challenge;
    const payment = await signPayment(dave, short);
    expect(
      await errorOf(await send(url, { ...payment, accepted: accepted as typeof payment.accepted })),
    ).toBe("authorization_expired");
  });
});

async function giveStablecoin(to: string, amount: bigint): Promise<void> {
  const { createWalletClient, http, parseAbi } = await import("viem");
  const { base } = await import("viem/chains");
  const wallet = createWalletClient({
    account: accountOf(service, "erin"),
    chain: base,
    transport: http(service.chainOf.rpcUrl),
  });
  await wallet.writeContract({
    address: service.chainOf.stablecoin.address,
    abi: parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]),
    functionName: "transfer",
    args: [to as `0x${string}`, amount],
  });
}

describe("prices named in challenges", () => {
  test("a bare probe is answered 402 at the ceiling price, without a chain read", async () => {
    const challenge = await fetchChallenge(`${service.url}/api/v1/capabilities/contract.guard/invoke`);
    expect(priceOf(challenge.accepts[0])).toBe(100_000n);
    expect(challenge.resource.url).toBe(`${service.url}/api/v1/capabilities/contract.guard/invoke`);
  });

  test("input that breaks a rule is 400 and names the field, before anyone pays", async () => {
    const response = await fetch(guardUrl("0x12"));
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      code: "invalid_input",
      errors: [{ field: "address", rule: "must be 0x followed by 40 hex digits" }],
    });
  });
});
