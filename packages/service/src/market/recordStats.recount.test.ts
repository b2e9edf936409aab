import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import type { CacheStatus } from "@assay/protocol";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { type CreditMove, issueMove, moveCredits } from "../credits/ledger.js";
import { deleteOldStats, readStats } from "./readStats.js";
import { recordFailure, recordStats } from "./recordStats.js";
import type { SettledCall } from "./settledCall.js";
import { listStatsFaults } from "./testing/recountStats.js";

const db: TestDatabase = await createTestDatabase();
afterAll(() => db.close());
beforeEach(async () => {
  await db.query({
    text: `TRUNCATE stats_days, stats_durations, stats_wallets, stats_last_days, stats_cohorts, invocations,
             credit_entries, credit_balances CASCADE`,
  });
});

const wallets = Array.from({ length: 12 }, (_, i) => `0x${i.toString(16).padStart(40, "0")}`);
const simulated = wallets.slice(0, 3);
const isSimulated = (wallet: string) => simulated.includes(wallet);
const capabilityIds = ["contract.guard", "token.metadata", "chain.snapshot"];

let lastCall = 0;
function makeCall(choices: SeededChoices, settledAt: Date): SettledCall {
  lastCall += 1;
  return {
    invocationId: `inv_${lastCall}`,
    capabilityId: choices.pick(capabilityIds),
    inputHash: "sha256:00",
    payer: choices.pick(wallets),
    actualStatus: choices.pick<CacheStatus>(["hit", "partial", "miss"]),
    priceMicroUsd: BigInt(choices.integer(1_000, 100_000)),
    creditMicroUsd: choices.chance(0.4) ? BigInt(choices.integer(1, 50_000)) : 0n,
    settledAt,
    // Bounds and their neighbours, and anything.
    tookMs: choices.chance(0.5)
      ? 50 * 2 ** choices.integer(0, 12) + choices.integer(-1, 1)
      : choices.integer(0, 120_000),
    artifactId: null,
    reusedInputHash: null,
    computed: null,
  };
}

const insertCall = (call: SettledCall, state: "settled" | "failed") => ({
  text: `INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until,
           network, asset, payer, authorization_nonce, payment_digest, pay_to, amount, valid_before,
           reserved_at_block, quoted_status, actual_status, list_price_micro_usd, credit_micro_usd, price_micro_usd,
           result_hash, transaction_hash, created_at, settled_at)
         VALUES ($1, $2, '1', $3, $4, now(), 'n', 'a', $5, $1, 'd', 'p', $6, 0, 0, $7, $7, $6, $8, $6, 'r', 't', $9, $10)`,
  values: [
    call.invocationId,
    call.capabilityId,
    call.inputHash,
    state,
    call.payer,
    call.priceMicroUsd,
    call.actualStatus,
    call.creditMicroUsd,
    new Date(call.settledAt.getTime() - call.tookMs),
    call.settledAt,
  ],
});

/** Settles as payments do: the calls, the credit they cause and the rollups in one transaction. */
async function settle(choices: SeededChoices, settledAt: Date): Promise<void> {
  const calls = Array.from({ length: choices.integer(1, 6) }, () => makeCall(choices, settledAt));
  const moves: CreditMove[] = calls
    .filter(() => choices.chance(0.5))
    .map((call) => issueMove(choices.pick(wallets), "dividend", call.invocationId, call.priceMicroUsd / 5n));
  const failed = choices.chance(0.2) ? makeCall(choices, settledAt) : undefined;
  await db.transaction(async (tx) => {
    await Promise.all(calls.map((call) => tx.query(insertCall(call, "settled"))));
    await moveCredits(tx, moves);
    await recordStats(tx, calls, moves, isSimulated);
  });
  if (!failed) return;
  await db.transaction(async (tx) => {
    await tx.query(insertCall(failed, "failed"));
    await recordFailure(tx, failed.capabilityId, isSimulated(failed.payer));
  });
}

const DAY_MS = 86_400_000;
const startMs = Date.parse("2026-01-01T00:00:00Z");

/** Days in order, the settlements of each all at once. */
async function live(seed: number, days: number): Promise<void> {
  const choices = createSeededChoices(seed);
  for (let day = 0; day < days; day++) {
    if (choices.chance(0.2)) continue;
    const settlements = Array.from({ length: choices.integer(1, 8) }, () => ({
      choices: createSeededChoices(choices.integer(0, 2 ** 31)),
      // The first and the last millisecond of a day belong to it.
      settledAt: new Date(
        startMs + day * DAY_MS + choices.pick([0, DAY_MS - 1, choices.integer(0, DAY_MS - 1)]),
      ),
    }));
    await Promise.all(settlements.map((each) => settle(each.choices, each.settledAt)));
  }
}

describe("rollups after a random history", () => {
  test.each([1, 2])("seed %i: each row is what a recount of the calls finds", async (seed) => {
    await live(seed, 25);
    expect(await listStatsFaults(db, simulated)).toEqual([]);
  });

  test("the answer about thirty days is what the calls of those days say", async () => {
    await live(5, 45);
    const now = new Date(startMs + 44 * DAY_MS + DAY_MS / 2);
    const { agents } = await readStats(db, now);
    const [counted] = await db.query<{ calls: bigint; payers: bigint; paid: bigint; newcomers: bigint }>({
      text: `SELECT count(*) AS calls, count(DISTINCT payer) AS payers, sum(price_micro_usd)::bigint AS paid,
               count(DISTINCT payer) FILTER (WHERE NOT EXISTS (
                 SELECT FROM invocations e WHERE e.payer = i.payer AND e.state = 'settled' AND e.settled_at < $1)) AS newcomers
             FROM invocations i
             WHERE state = 'settled' AND settled_at >= $1 AND settled_at < $2 AND NOT payer = ANY($3)`,
      values: [new Date(startMs + 15 * DAY_MS), new Date(startMs + 45 * DAY_MS), simulated],
    });
    expect(BigInt(agents.settledInvocations)).toBe(counted?.calls);
    expect(BigInt(agents.uniquePayingAgents)).toBe(counted?.payers);
    expect(BigInt(Math.round(agents.paidUsd * 1_000_000))).toBe(counted?.paid);
    expect(BigInt(agents.retention.newAgents)).toBe(counted?.newcomers);
  });

  test("wallets that come back after their days were dropped settle all the same", async () => {
    await live(6, 20);
    await deleteOldStats(db);
    const choices = createSeededChoices(7);
    const now = new Date();
    for (let i = 0; i < 20; i++) await settle(choices, now);
    const { agents } = await readStats(db, now);
    const [counted] = await db.query<{ payers: bigint }>({
      text: `SELECT count(DISTINCT payer) AS payers FROM invocations
             WHERE state = 'settled' AND settled_at = $1 AND NOT payer = ANY($2)`,
      values: [now, simulated],
    });
    expect(BigInt(agents.uniquePayingAgents)).toBe(counted?.payers);
    // They are known from before, and so not new.
    expect(agents.retention.newAgents).toBe(0);
  });

  test("control: a recount finds a rollup that is off by one", async () => {
    await live(8, 5);
    await db.query({ text: "UPDATE stats_cohorts SET returned = returned + 1 WHERE NOT is_simulated" });
    await db.query({
      text: "UPDATE stats_days SET failed = failed + 1 WHERE capability_id = 'contract.guard'",
    });
    const faults = await listStatsFaults(db, simulated);
    expect(faults.some((fault) => fault.startsWith("stats_cohorts: only kept"))).toBe(true);
    expect(faults.some((fault) => fault.includes("failures of contract.guard"))).toBe(true);
  });
});
