import { type Bounties, bountiesSchema, inputHashOf, opportunitiesSchema } from "@assay/protocol";
import { privateKeyToAccount } from "viem/accounts";
import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "../../../test/createTestDatabase.js";
import { emptyTables } from "../../../test/emptyTables.js";
import { accountOf, fetchChallenge, send, signPayment } from "../../../test/payer.js";
import { signAction } from "../../../test/signAction.js";
import { startTestService } from "../../../test/startTestService.js";
import { useTestService } from "../../../test/useTestService.js";
import { createDatabase } from "../../store/database.js";

// What one caller alone asks for is listed at once here; that it is not by default, test/attacks/marketPrivacy.test.ts shows.
const service = useTestService({
  RATE_LIMITS: "off",
  TRUSTED_PROXIES: "127.0.0.1",
  BOUNTY_DELAY_SECONDS: "0",
});
beforeEach(async () => {
  await service.context.demand.flush();
  await emptyTables(service.db, "demand", "demand_askers", "asked_capabilities", "publishers", "seeds");
});

const publisher = privateKeyToAccount(`0x${"a1".repeat(32)}`);
const ATTESTED = publisher.address.toLowerCase();
const STRANGER = `0x${"b".repeat(40)}`;
/** An address that no other test asks about: the counter remembers askers for an hour. */
let asked = 0xd000;
const newAddress = () => {
  asked += 1;
  return `0x${asked.toString(16).padStart(40, "0")}`;
};
const guardHash = (address: string) => inputHashOf("contract.guard", "1.0.0", { address: address as "0x" });

const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const invokeUrl = (address: string, capability = "contract.guard") =>
  service.invokeUrl(capability, { address });
const ask = (address: string, asker: string, capability?: string) =>
  fetchChallenge(invokeUrl(address, capability), from(asker));
const quote = (...asked: Parameters<typeof service.quoteUrl>) => fetch(service.quoteUrl(...asked));

async function attest(wallet: string, lastFailedAt: Date | null = null): Promise<void> {
  await service.db.query({
    text: "INSERT INTO publishers (wallet, passed, passed_with_code, last_failed_at) VALUES ($1, 1, 1, $2)",
    values: [wallet, lastFailedAt],
  });
}

async function fetchBounties(wallet?: string, query = ""): Promise<Bounties> {
  await service.context.demand.flush();
  const named: Record<string, string> = wallet === undefined ? {} : { "x-agent-wallet": wallet };
  const headers =
    wallet?.toLowerCase() === ATTESTED
      ? {
          ...(await signAction(service.url, publisher, { action: "bounty_list", resource: ATTESTED })),
          ...named,
        }
      : named;
  const response = await fetch(`${service.url}/api/v1/bounties${query}`, { headers });
  expect(response.status).toBe(200);
  return bountiesSchema.parse(await response.json());
}
const missesOf = ({ bounties }: Bounties) =>
  Object.fromEntries(bounties.map(({ inputHash, misses }) => [inputHash, misses]));
const makeOld = () =>
  service.db.query({
    text: `UPDATE demand SET last_miss_at = last_miss_at - interval '61 seconds',
             listed_at = listed_at - interval '61 seconds'`,
  });

test("misses of challenges are counted by address, also when answered from memory, and of quotes by wallet", async () => {
  await attest(ATTESTED);
  const address = newAddress();
  await ask(address, "203.0.113.1");
  await ask(address, "203.0.113.1");
  await ask(address, "203.0.113.2");
  await quote("contract.guard", STRANGER, { address });
  await quote("contract.guard", STRANGER, { address });
  expect(missesOf(await fetchBounties(ATTESTED))).toEqual({ [guardHash(address)]: 3 });
});

test("a bounty says what was asked, what it is worth and how it is met", async () => {
  await attest(ATTESTED);
  const [code, token] = [newAddress(), newAddress()];
  await ask(code.toUpperCase().replace("0X", "0x"), "203.0.113.1");
  await ask(code, "203.0.113.2");
  await ask(token, "203.0.113.1", "token.metadata");
  const { bounties } = await fetchBounties(ATTESTED);
  expect(bounties).toMatchObject([
    {
      capabilityId: "contract.guard",
      network: "eip155:8453",
      inputHash: guardHash(code),
      input: { address: code },
      misses: 2,
      seederEconomics: {
        dividendPerSettledReusePct: 20,
        dividendPerSettledReuseUsd: 0.004,
        lifetimeCapUsd: 10,
        rewardKind: "non_transferable_credits",
      },
      fulfillment: "publish",
      fulfillmentEndpoint: "/api/v1/artifacts/publish",
      publishEndpoint: "/api/v1/artifacts/publish",
    },
    {
      capabilityId: "token.metadata",
      input: { address: token },
      misses: 1,
      seederEconomics: { dividendPerSettledReuseUsd: 0.002, lifetimeCapUsd: 3 },
      fulfillment: "first_settled_invocation",
      fulfillmentEndpoint: "/api/v1/capabilities/token.metadata/invoke",
    },
  ]);
});

test("new bounties are the attested publishers' for a minute", async () => {
  await attest(ATTESTED);
  const failed = `0x${"c".repeat(40)}`;
  await attest(failed, new Date(Date.now() - 29 * 24 * 3600_000));
  const address = newAddress();
  await ask(address, "203.0.113.1");

  const early = await fetchBounties(ATTESTED.toUpperCase().replace("0X", "0x"));
  expect(early.bounties).toHaveLength(1);
  expect(early.passport).toMatchObject({
    attestedPublisher: true,
    headStartSeconds: 60,
    withheldByHeadStart: 0,
  });
  for (const wallet of [STRANGER, failed]) {
    const late = await fetchBounties(wallet);
    expect(late.bounties).toEqual([]);
    expect(late.passport).toMatchObject({ attestedPublisher: false, withheldByHeadStart: 1 });
  }
  const unnamed = await fetchBounties();
  expect(unnamed.bounties).toEqual([]);
  expect(unnamed).not.toHaveProperty("passport");

  await makeOld();
  const shown = await fetchBounties(STRANGER);
  expect(shown.passport).toMatchObject({ attestedPublisher: false, withheldByHeadStart: 0 });
  expect(shown.bounties[0]?.seederEconomics.lifetimeCapUsd).toBe(5);
  expect((await fetchBounties()).bounties).toHaveLength(1);
});

test("the most wanted come first, the latest among equals, and no more than asked for", async () => {
  const [once, twice, later] = [newAddress(), newAddress(), newAddress()];
  await ask(once, "203.0.113.1");
  for (const asker of ["203.0.113.1", "203.0.113.2"]) await ask(twice, asker);
  await service.context.demand.flush();
  await ask(later, "203.0.113.1");
  await service.context.demand.flush();
  await makeOld();
  const ranked = [twice, later, once].map(guardHash);
  expect((await fetchBounties()).bounties.map(({ inputHash }) => inputHash)).toEqual(ranked);
  expect((await fetchBounties(undefined, "?limit=2")).bounties.map(({ inputHash }) => inputHash)).toEqual(
    ranked.slice(0, 2),
  );
});

test("private questions, bare probes, wrong input and answers that exist are no bounties", async () => {
  await attest(ATTESTED);
  const address = service.chainOf.contracts.plainToken.toLowerCase();
  await fetchChallenge(`${service.url}/api/v1/capabilities/contract.guard/invoke`);
  expect((await fetch(invokeUrl("0x1"))).status).toBe(400);
  await quote("transaction.intent.guard", STRANGER, { from: STRANGER, to: address });
  await fetchChallenge(`${service.url}/api/v1/capabilities/transaction.intent.guard/invoke`, {
    method: "POST",
    body: JSON.stringify({ from: STRANGER, to: address }),
    headers: { "content-type": "application/json" },
  });
  await service.context.demand.flush();
  expect(await service.db.query({ text: "SELECT input FROM demand" })).toEqual([]);

  const payment = await signPayment(accountOf(service, "alice"), await ask(address, "203.0.113.1"));
  expect(missesOf(await fetchBounties(ATTESTED))).toEqual({ [guardHash(address)]: 1 });
  expect((await send(invokeUrl(address), payment)).status).toBe(200);
  await ask(address, "203.0.113.2");
  expect((await fetchBounties(ATTESTED)).bounties).toEqual([]);
});

test("limits and wallets that are none are refused by name", async () => {
  for (const limit of ["0", "101", "-1", "1.5", "ten", "", "9999999999"]) {
    for (const route of ["bounties", "opportunities"]) {
      const response = await fetch(`${service.url}/api/v1/${route}?limit=${limit}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: "invalid_input",
        errors: [{ field: "limit", rule: "must be an integer from 1 to 100" }],
      });
    }
  }
  const response = await fetch(`${service.url}/api/v1/bounties`, { headers: { "x-agent-wallet": "0x1" } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ field: "x-agent-wallet" }] });
  for (const limit of [1, 100]) await fetchBounties(undefined, `?limit=${limit}`);
});

test("unknown capabilities that are asked for become opportunities, each asker once", async () => {
  const askFor = (capability: string, asker: string) =>
    fetch(
      `${service.url}/api/v1/quotes?capability=${encodeURIComponent(capability)}&wallet=${STRANGER}`,
      from(asker),
    );
  for (const asker of ["203.0.113.1", "203.0.113.1", "203.0.113.2"]) {
    const response = await askFor(" Solana.Program.Change", asker);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "unknown_capability" });
  }
  await askFor("weather.report", "203.0.113.1");
  // No names, and one that exists when spelt right.
  for (const name of ["x", "a..b", "drop table", "Contract.Guard", "é", "a".repeat(65), STRANGER])
    await askFor(name, "203.0.113.1");
  await service.context.demand.flush();
  const response = await fetch(`${service.url}/api/v1/opportunities`);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain(STRANGER);
  const { opportunities } = opportunitiesSchema.parse(JSON.parse(text));
  expect(opportunities).toMatchObject([
    { capability: "solana.program.change", status: "unbuilt", unknownAsks: 2, conditionalPledges: 0 },
    { capability: "weather.report", status: "unknown", unknownAsks: 1, pledgesHonoured: 0 },
  ]);
});

test("what was counted last is written when the service stops", async () => {
  const kept = await createTestDatabase();
  const stopping = await startTestService({ DATABASE_URL: kept.connectionString });
  await fetchChallenge(`${stopping.url}/api/v1/capabilities/contract.guard/invoke?address=${newAddress()}`);
  await stopping.stop();
  const reader = createDatabase({ connectionString: kept.connectionString });
  expect(await reader.query({ text: "SELECT misses FROM demand" })).toEqual([{ misses: 1n }]);
  await reader.close();
  await kept.close();
});
