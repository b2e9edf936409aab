import { until } from "@assay/chain/testing/until";
import {
  capabilityResultSchema,
  type Hex,
  paymentRequiredSchema,
  type Quote,
  quoteSchema,
  usdFromMicro,
} from "@assay/protocol";
import { keccak256 } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test, vi } from "vitest";
import { getBalance } from "../../src/credits/ledger.js";
import { findTicket } from "../../src/quotes/ticket.js";
import { balanceOf, fetchChallenge, pay, priceOf, send, signPayment } from "../payer.js";
import { post, signAction } from "../signAction.js";
import { useTestService } from "../useTestService.js";

// One owner of several wallets tries to get answers for less than the catalog asks.
const service = useTestService({ RATE_LIMITS: "off" });

let deployed = 0;
/** Some code that no other test has, at an address of its own. */
async function deploy(): Promise<Hex> {
  const { address } = privateKeyToAccount(generatePrivateKey());
  deployed += 1;
  await setCode(address, `0x6002600255${deployed.toString(16).padStart(8, "0")}`);
  return address;
}
async function setCode(address: Hex, code: Hex): Promise<void> {
  await service.chainOf.request("hardhat_setCode", [address, code]);
  await service.chainOf.mine(1);
  await service.context.chain.latestBlock();
}

async function sendSigned(
  account: PrivateKeyAccount,
  action: "artifact_publish" | "demand_pledge" | "capability_outcome",
  resource: string,
  path: string,
  body: object,
): Promise<void> {
  const headers = await signAction(service.url, account, { action, resource });
  const response = await post(service.url, `/api/v1/${path}`, headers, { wallet: account.address, ...body });
  expect([200, 201]).toContain(response.status);
}

async function publish(account: PrivateKeyAccount, address: Hex): Promise<void> {
  const { number } = await service.context.chain.latestBlock();
  const code = await service.chainOf.request<Hex>("eth_getCode", [address, "latest"]);
  await sendSigned(account, "artifact_publish", address, "artifacts/publish", {
    capabilityId: "contract.guard",
    address,
    bytecodeHash: keccak256(code),
    bytecodeBytes: (code.length - 2) / 2,
    computedAtBlock: number,
  });
}
const pledge = (account: PrivateKeyAccount) =>
  sendSigned(account, "demand_pledge", "contract.guard", "demand-pledges", { capability: "contract.guard" });
const review = (account: PrivateKeyAccount, invocationId: string) =>
  sendSigned(account, "capability_outcome", invocationId, "outcomes", { invocationId, outcome: "success" });

const guardUrl = (address: Hex) => service.invokeUrl("contract.guard", { address });
async function quoteGuard(account: PrivateKeyAccount, address: Hex): Promise<Quote> {
  const response = await fetch(service.quoteUrl("contract.guard", account.address, { address }));
  return quoteSchema.parse(await response.json());
}
const endAnswers = () => service.db.query({ text: "UPDATE artifacts SET fresh_until = now()" });
const errorOf = async (response: Response) => {
  expect(response.status).toBe(402);
  const { error, accepts } = paymentRequiredSchema.parse(await response.json());
  return [error, priceOf(accepts[0])];
};

/**
 * Guards about new contracts, as the attack bought them: one wallet publishes the fingerprint for nothing and earns the
 * dividend, the other has pledged, pays with the credit it has and reports the outcome; then they change places.
 */
async function spree(guards: number, wallets: readonly [PrivateKeyAccount, PrivateKeyAccount]) {
  const held = async () => {
    const balances = await Promise.all(
      wallets.map(async ({ address }) => ({
        cash: await balanceOf(service, address),
        credit: await getBalance(service.db, `wallet:${address.toLowerCase()}`),
      })),
    );
    return balances.reduce((sum, { cash, credit }) => sum + cash + credit, 0n);
  };
  const before = await held();
  const lists: number[] = [];
  for (const wallet of wallets) await pledge(wallet);
  for (let guard = 0; guard < guards; guard += 1) {
    const [seeder, buyer] = guard % 2 === 0 ? wallets : ([wallets[1], wallets[0]] as const);
    const address = await deploy();
    await publish(seeder, address);
    const quote = await quoteGuard(buyer, address);
    const { response } = await pay(quote.invokeUrl, buyer);
    expect(response.status).toBe(200);
    lists.push(quote.listPriceUsd);
    await review(buyer, capabilityResultSchema.parse(await response.json()).invocationId);
  }
  return { lists, paidUsd: usdFromMicro(before - (await held())) };
}

describe("free publications, dividends, pledges and reviews of one owner", () => {
  // Before, these cost $0.2356 and, with two wallets, 37 % of the list price.
  test.each([
    ["five guards", 5, ["alice", "bob"], 0.380773],
    ["three guards", 3, ["carol", "dave"], 0.21975],
  ] as const)(
    "of %s, at least 65 hundredths of the list price are paid",
    async (_name, guards, names, paidUsd) => {
      const [first, second] = names.map((name) => service.account(name));
      if (!first || !second) throw new Error("the local chain has too few accounts");
      const bought = await spree(guards, [first, second]);
      expect(bought.lists).toEqual(Array.from({ length: guards }, () => 0.1));
      expect(bought.paidUsd).toBeGreaterThanOrEqual(guards * 0.065);
      expect(bought.paidUsd).toBeCloseTo(paidUsd, 6);
    },
  );
});

describe("a price for a stored answer ends with that answer", () => {
  test("a ticket states it, and buys no new work afterwards", async () => {
    const erin = service.account("erin");
    const address = await deploy();
    expect((await pay(guardUrl(address), erin)).response.status).toBe(200);
    const challenge = await fetchChallenge(guardUrl(address));
    const ticket = findTicket(
      service.context.settings.ticketSecret,
      String(challenge.accepts[0]?.extra.ticket),
    );
    expect(ticket).toMatchObject({ cacheStatus: "hit", priceMicroUsd: 20_000n });
    expect((ticket?.expiresAtMs ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThanOrEqual(10_000);
    const hoarded = await signPayment(erin, challenge);
    await endAnswers();
    const before = await balanceOf(service, erin.address);
    expect(await errorOf(await send(guardUrl(address), hoarded))).toEqual(["ticket_expired", 50_000n]);
    expect(await balanceOf(service, erin.address)).toBe(before);
    const { response } = await pay(guardUrl(address), erin);
    expect(await response.json()).toMatchObject({ pricing: { listPriceUsd: 0.05 } });
  });

  test("so does a quote, which is not offered again", async () => {
    const erin = service.account("erin");
    const address = await deploy();
    expect((await pay(guardUrl(address), erin)).response.status).toBe(200);
    const quote = await quoteGuard(erin, address);
    expect(quote).toMatchObject({ cacheStatus: "hit", listPriceUsd: 0.02 });
    expect(Date.parse(quote.expiresAt) - Date.now()).toBeLessThanOrEqual(10_000);
    const hoarded = await signPayment(erin, await fetchChallenge(quote.invokeUrl));
    await endAnswers();
    const before = await balanceOf(service, erin.address);
    expect(await errorOf(await send(quote.invokeUrl, hoarded))).toEqual(["quote_expired", 50_000n]);
    expect(await errorOf(await fetch(quote.invokeUrl))).toEqual(["quote_expired", 50_000n]);
    expect(await balanceOf(service, erin.address)).toBe(before);
  });

  test("where money may have moved already, the answer is owed all the same and no 402 denies it", async () => {
    const erin = service.account("erin");
    const address = await deploy();
    expect((await pay(guardUrl(address), erin)).response.status).toBe(200);
    const late = await signPayment(erin, await fetchChallenge(guardUrl(address)));
    await endAnswers();
    vi.spyOn(service.context.facilitator, "verify").mockResolvedValueOnce({
      status: "refused",
      reason: "the nonce is used",
      authorizationUsed: true,
    });
    // The token has not seen it after all, so it is delivered, and answered.
    expect((await send(guardUrl(address), late)).status).toBe(200);
  });

  test("a price for known code buys nothing about other code", async () => {
    const erin = service.account("erin");
    const address = await deploy();
    const { evidenceReference } = await service.buy(guardUrl(address), "erin");
    await endAnswers();
    // The notification of the answer may still be under way.
    const challenge = await until(async () => {
      service.context.freshness.forget(evidenceReference.inputHash, undefined);
      const asked = await fetchChallenge(guardUrl(address));
      return priceOf(asked.accepts[0]) === 50_000n ? asked : undefined;
    });
    const hoarded = await signPayment(erin, challenge);
    await setCode(address, "0x60036003556003600355");
    const before = await balanceOf(service, erin.address);
    expect(await errorOf(await send(guardUrl(address), hoarded))).toEqual(["ticket_expired", 100_000n]);
    expect(await balanceOf(service, erin.address)).toBe(before);
    const { response } = await pay(guardUrl(address), erin);
    expect(await response.json()).toMatchObject({
      pricing: { actualCacheStatus: "miss", listPriceUsd: 0.1 },
    });
  });
});

test("an answer that is about to end is not read anew about other code at the price of a hit", async () => {
  const erin = service.account("erin");
  const address = await deploy();
  const { evidenceReference } = await service.buy(guardUrl(address), "erin");
  await service.db.query({
    text: "UPDATE artifacts SET fresh_until = now() + interval '2 seconds' WHERE artifact_id = $1",
    values: [evidenceReference.artifactId],
  });
  const hit = await signPayment(erin, await fetchChallenge(guardUrl(address)));
  expect(BigInt(hit.accepted.amount)).toBeLessThan(50_000n);
  await setCode(address, "0x60046003556003600355");
  const before = await balanceOf(service, erin.address);
  expect(await errorOf(await send(guardUrl(address), hit))).toEqual(["ticket_expired", 100_000n]);
  expect(await balanceOf(service, erin.address)).toBe(before);
});

describe("a cheap call opens no way to a dear answer", () => {
  test("by the fingerprint that it leaves", async () => {
    const address = service.chainOf.contracts.permissionedToken;
    const assetUrl = service.invokeUrl("rwa.market.guard", { address });
    await service.buy(service.invokeUrl("contract.change", { address }), "erin");
    await service.buy(service.invokeUrl("token.metadata", { address }), "erin");
    expect(await service.priceNow(guardUrl(address as Hex))).toBe(100_000n);
    await service.buy(guardUrl(address as Hex), "erin");
    expect(await service.priceNow(assetUrl)).toBe(500_000n);
    const quoteUrl = service.quoteUrl("rwa.market.guard", service.account("erin").address, { address });
    expect(await (await fetch(quoteUrl)).json()).toMatchObject({ cacheStatus: "miss", listPriceUsd: 0.5 });
    // The other way round it saves: what contract.guard costs has paid for the fingerprint.
    expect(await service.priceNow(service.invokeUrl("token.launch.guard", { address }))).toBe(40_000n);
  });

  test("by computing its expired artifact again", async () => {
    const address = service.chainOf.contracts.permissionedToken;
    const assetUrl = service.invokeUrl("rwa.market.guard", { address, symbol: "STF" });
    const { evidenceReference } = await service.buy(assetUrl, "erin");
    const artifactUrl = service.invokeUrl("evidence.artifact", { artifactId: evidenceReference.artifactId });
    await endAnswers();
    expect(await service.priceNow(artifactUrl)).toBe(150_000n);
    expect(await service.buy(artifactUrl, "erin")).toMatchObject({
      pricing: { listPriceUsd: 0.15, pricePaidUsd: 0.15 },
      nextCall: { recheck: { listPriceUsdCeiling: 0.15 } },
      result: { refreshed: { capabilityId: "rwa.market.guard" } },
    });
  });
});
