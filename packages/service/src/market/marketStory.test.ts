import {
  bountiesSchema,
  type CapabilityResult,
  capabilityResultSchema,
  type Hex,
  outcomeSchema,
  pledgeSchema,
  publishedSchema,
  publisherSchema,
  type Quote,
  statsSchema,
  usdFromMicro,
} from "@assay/protocol";
import { keccak256 } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { beforeAll, expect, test } from "vitest";
import { accountOf, fetchChallenge, send, signPayment } from "../../test/payer.js";
import { post, signAction } from "../../test/signAction.js";
import { useTestService } from "../../test/useTestService.js";
import { getBalance } from "../credits/ledger.js";
import { listStatsFaults } from "./testing/recountStats.js";

const service = useTestService({ RATE_LIMITS: "off", BOUNTY_DELAY_SECONDS: "0" });
let alice: PrivateKeyAccount;
let bob: PrivateKeyAccount;
let carol: PrivateKeyAccount;
let dave: PrivateKeyAccount;
let erin: PrivateKeyAccount;
let token: Hex;
beforeAll(() => {
  alice = accountOf(service, "alice");
  bob = accountOf(service, "bob");
  carol = accountOf(service, "carol");
  dave = accountOf(service, "dave");
  erin = accountOf(service, "erin");
  token = service.chainOf.contracts.plainToken as Hex;
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}${path}`, { headers });
  expect(response.status).toBe(200);
  return response.json();
};
const quoteFor = async ({ address: wallet }: PrivateKeyAccount, capability: string, address = token) =>
  (await get(
    `/api/v1/quotes?${new URLSearchParams({ capability, wallet, ...(capability !== "chain.snapshot" && { address }) })}`,
  )) as Quote;

/** Asks for a quote and pays it; the same payment sent again gets the same bytes. */
async function buy(
  account: PrivateKeyAccount,
  capability: string,
  address = token,
): Promise<CapabilityResult> {
  const { invokeUrl } = await quoteFor(account, capability, address);
  const payment = await signPayment(account, await fetchChallenge(invokeUrl));
  const bodies: string[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await send(invokeUrl, payment);
    expect(response.status).toBe(200);
    bodies.push(await response.text());
  }
  expect(bodies[1]).toBe(bodies[0]);
  return capabilityResultSchema.parse(JSON.parse(bodies[0] ?? ""));
}

const creditOf = async ({ address }: PrivateKeyAccount) =>
  usdFromMicro(await getBalance(service.db, `wallet:${address.toLowerCase()}`));
const listBounties = async (account: PrivateKeyAccount) => {
  await service.context.demand.flush();
  // The head start of attested publishers is over.
  await service.db.query({
    text: "UPDATE demand SET last_miss_at = last_miss_at - interval '61 seconds', listed_at = listed_at - interval '61 seconds'",
  });
  const resource = account.address.toLowerCase();
  const headers = await signAction(service.url, account, { action: "bounty_list", resource });
  return bountiesSchema.parse(await get("/api/v1/bounties", headers));
};
const readRecord = async ({ address }: PrivateKeyAccount) =>
  publisherSchema.parse(await get(`/api/v1/publishers/${address}`));

/** A busy machine must not let the ten seconds of an answer pass. */
const keepAnswers = () =>
  service.db.query({
    text: "UPDATE artifacts SET fresh_until = now() + interval '1 hour', valid_until_block = 1000000",
  });

async function publish(account: PrivateKeyAccount, bytecodeHash: Hex, bytecodeBytes: number, block: number) {
  const body = {
    capabilityId: "contract.guard",
    wallet: account.address,
    address: token,
    bytecodeHash,
    bytecodeBytes,
    computedAtBlock: block,
  };
  const headers = await signAction(service.url, account, { action: "artifact_publish", resource: token });
  return post(service.url, "/api/v1/artifacts/publish", headers, body);
}
async function pledge(account: PrivateKeyAccount, capability: string) {
  const headers = await signAction(service.url, account, { action: "demand_pledge", resource: capability });
  const response = await post(service.url, "/api/v1/demand-pledges", headers, {
    wallet: account.address,
    capability,
  });
  return { status: response.status, pledge: pledgeSchema.parse(await response.json()) };
}

// Each step stands on the one before it.

test("a miss becomes a bounty", async () => {
  expect(await quoteFor(alice, "contract.guard")).toMatchObject({ cacheStatus: "miss", priceUsd: 0.1 });
  const { bounties, passport } = await listBounties(bob);
  expect(passport).toMatchObject({ attestedPublisher: false });
  expect(bounties).toMatchObject([
    {
      capabilityId: "contract.guard",
      input: { address: token.toLowerCase() },
      misses: 1,
      fulfillment: "publish",
      seederEconomics: {
        dividendPerSettledReusePct: 20,
        dividendPerSettledReuseUsd: 0.004,
        lifetimeCapUsd: 5,
      },
    },
  ]);
  for (const { address } of [alice, bob, carol, dave, erin])
    expect(JSON.stringify(bounties).toLowerCase()).not.toContain(address.slice(2).toLowerCase());
});

test("a false publication burns, and stays burned", async () => {
  const { number } = await service.context.chain.latestBlock();
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await publish(erin, keccak256("0x1234"), 2, number);
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ code: "publication_burned" }),
    ]);
  }
  expect(await readRecord(erin)).toMatchObject({
    attested: false,
    publications: { passed: 0, failed: 1, unaudited: 0 },
    seededInputs: 0,
  });
  expect((await listBounties(bob)).bounties).toHaveLength(1);
});

test("one wallet publishes what is wanted and is its seeder", async () => {
  const { number } = await service.context.chain.latestBlock();
  const code = await service.chainOf.request<Hex>("eth_getCode", [token, "latest"]);
  const response = await publish(bob, keccak256(code), (code.length - 2) / 2, number);
  expect(response.status).toBe(201);
  expect(publishedSchema.parse(await response.json())).toMatchObject({
    audit: "passed",
    seeder: { economics: { lifetimeCapUsd: 5 } },
  });
  expect(await listBounties(bob)).toMatchObject({ bounties: [], passport: { attestedPublisher: true } });
  // Nobody has paid for the work yet, so it costs as much as before; it is no bounty any more.
  expect(await quoteFor(alice, "contract.guard")).toMatchObject({ cacheStatus: "miss", priceUsd: 0.1 });
  expect(await listBounties(bob)).toMatchObject({ bounties: [] });
});

test("others reuse it: dividends arrive, a pledge is honoured, one's own reuse earns nothing", async () => {
  expect(await pledge(carol, "contract.guard")).toMatchObject({ status: 201, pledge: { built: true } });
  expect((await buy(carol, "contract.guard")).pricing).toMatchObject({
    actualCacheStatus: "miss",
    pricePaidUsd: 0.1,
  });
  expect([await creditOf(bob), await creditOf(carol)]).toEqual([0.02, 0.01]);
  expect(await pledge(carol, "contract.guard")).toMatchObject({
    status: 200,
    pledge: { credit: { creditedUsd: 0.01 } },
  });
  await keepAnswers();
  for (const account of [dave, erin])
    expect((await buy(account, "contract.guard")).pricing).toMatchObject({
      actualCacheStatus: "hit",
      pricePaidUsd: 0.02,
    });
  expect(await creditOf(bob)).toBe(0.028);
  await pledge(bob, "contract.guard");
  expect((await buy(bob, "contract.guard")).pricing).toMatchObject({
    creditAppliedUsd: 0.019,
    pricePaidUsd: 0.001,
  });
  // Nothing for his own reuse; a tenth of what he paid for keeping his word.
  expect(await creditOf(bob)).toBe(0.0091);
});

test("credit lowers the next quote down to 0.001, and a dividend on it is a fifth of what was paid", async () => {
  expect((await buy(dave, "contract.interface")).pricing).toMatchObject({
    actualCacheStatus: "miss",
    pricePaidUsd: 0.02,
  });
  // Enough for the whole price, of which the least that is charged stays.
  expect(await quoteFor(carol, "contract.interface")).toMatchObject({
    cacheStatus: "hit",
    listPriceUsd: 0.01,
    creditAppliedUsd: 0.009,
    priceUsd: 0.001,
  });
  expect((await buy(carol, "contract.interface")).pricing).toMatchObject({ pricePaidUsd: 0.001 });
  expect([await creditOf(carol), await creditOf(dave)]).toEqual([0.001, 0.0002]);
  const erins = await buy(erin, "contract.interface");
  expect([erins.pricing?.pricePaidUsd, await creditOf(dave)]).toEqual([0.01, 0.0022]);
  await buy(bob, "contract.interface");
  expect(await creditOf(dave)).toBe(0.0024);
  const snapshot = await quoteFor(dave, "chain.snapshot");
  expect(snapshot).toMatchObject({ listPriceUsd: 0.005, creditAppliedUsd: 0.0024, priceUsd: 0.0026 });
  expect((await buy(dave, "chain.snapshot")).pricing).toMatchObject({
    creditAppliedUsd: 0.0024,
    pricePaidUsd: 0.0026,
  });
  expect(await creditOf(dave)).toBe(0);
});

test("an outcome is credited once", async () => {
  const { invocationId, pricing } = await buy(alice, "contract.guard");
  expect(pricing).toMatchObject({ actualCacheStatus: "hit", pricePaidUsd: 0.02 });
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const headers = await signAction(service.url, alice, {
      action: "capability_outcome",
      resource: invocationId,
    });
    const response = await post(service.url, "/api/v1/outcomes", headers, {
      invocationId,
      wallet: alice.address,
      outcome: "success",
    });
    statuses.push(response.status);
    expect(outcomeSchema.parse(await response.json())).toMatchObject({ reviewCreditUsd: 0.001 });
  }
  expect([statuses, await creditOf(alice)]).toEqual([[201, 200], 0.001]);
});

test("where nobody published, the first to pay for the work is its seeder", async () => {
  const proxy = service.chainOf.contracts.upgradeableProxy as Hex;
  expect((await buy(erin, "contract.guard", proxy)).pricing).toMatchObject({
    actualCacheStatus: "miss",
    pricePaidUsd: 0.1,
  });
  await keepAnswers();
  // Her last thousandth of credit is not paid in cash, and earns nobody anything.
  expect((await buy(carol, "contract.guard", proxy)).pricing).toMatchObject({ pricePaidUsd: 0.019 });
  expect(await creditOf(erin)).toBe(0.0038);
  expect((await buy(erin, "contract.guard", proxy)).pricing).toMatchObject({ creditAppliedUsd: 0.0038 });
  expect(await creditOf(erin)).toBe(0);
});

test("the records, the books and the log agree", async () => {
  expect(await readRecord(bob)).toMatchObject({
    attested: true,
    publications: { passed: 1, failed: 0 },
    seededInputs: 1,
    dividends: { settledReuses: 4, totalUsd: 0.032 },
  });
  const [sums] = await service.db.query<Record<string, bigint>>({
    text: `SELECT (SELECT sum(balance_micro_usd)::bigint FROM credit_balances) AS balance,
             (SELECT count(*) FROM credit_entries) - (SELECT count(*) FROM log_leaves WHERE kind = 'credit') AS unlogged,
             (SELECT count(*) FROM log_leaves WHERE kind = 'publication') AS publications,
             (SELECT count(*) FROM credit_entries WHERE debit_account LIKE 'wallet:%' AND credit_account LIKE 'wallet:%')
               AS between_wallets`,
  });
  expect(sums).toEqual({ balance: 0n, unlogged: 0n, publications: 1n, between_wallets: 0n });
  expect(await listStatsFaults(service.db, [])).toEqual([]);
  const { agents } = statsSchema.parse(await get("/api/v1/capabilities/stats"));
  expect(agents).toMatchObject({ settledInvocations: 13, uniquePayingAgents: 5, failedInvocations: 0 });
});
