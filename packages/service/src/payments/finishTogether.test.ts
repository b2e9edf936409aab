import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Failpoints } from "../base/failpoints.js";
import { createBatchCalls } from "../store/batchCalls.js";
import type { Database } from "../store/database.js";
import { finishSettled } from "./finishSettled.js";
import { alice, bob, carol, guardMiss, hit, openSettlingWorld } from "./testing/openSettlingWorld.js";
import {
  createSettlementContext,
  type SettlingCall,
  settleTogether,
  storeSettlingCall,
} from "./testing/settlingCalls.js";

const world = await openSettlingWorld();
const { db, otherDb, context, store, settle, creditOf } = world;
beforeEach(() => world.empty());
afterAll(() => world.close());

describe("once, however often", () => {
  const countEffects = async () => {
    const [row] = await db.query<Record<string, bigint>>({
      text: `SELECT (SELECT count(*) FROM credit_entries) AS entries, (SELECT sum(settled)::bigint FROM stats_days) AS settled,
               (SELECT sum(calls)::bigint FROM stats_durations) AS durations,
               (SELECT sum(dividends)::bigint FROM publishers) AS dividends`,
    });
    return row;
  };
  const once = { entries: 1n, settled: 2n, durations: 2n, dividends: 1n };

  test("a settlement that is repeated, later or at the same time, changes nothing", async () => {
    await settle(guardMiss(alice));
    const call = await store(hit(bob));
    const other = createSettlementContext(otherDb);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => finishSettled(i % 2 ? context : other, call, "0x01")),
    );
    expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(0);
    expect(await finishSettled(context, call, "0x02")).toBeUndefined();
    expect(await countEffects()).toEqual(once);
    expect(await creditOf(alice)).toBe(4_000n);
  });

  test("a process that dies before the commit leaves nothing, and the next one does all of it", async () => {
    await settle(guardMiss(alice));
    const call = await store(hit(bob));
    const dying: Failpoints = {
      reach(name) {
        if (name === "inside_settled") throw new Error("dead");
      },
    };
    await expect(finishSettled({ ...context, failpoints: dying }, call, "0x01")).rejects.toThrow("dead");
    expect(await creditOf(alice)).toBe(0n);
    expect(await countEffects()).toEqual({ entries: 0n, settled: 1n, durations: 1n, dividends: 0n });
    await finishSettled(context, call, "0x01");
    expect(await countEffects()).toEqual(once);
  });
});

describe("two processes on the same inputs", () => {
  const CALLS = 300;
  const inputs = Array.from({ length: 25 }, (_, i) => `sha256:${i}`);
  const wallets = Array.from({ length: 40 }, (_, i) => `0x${i.toString(16).padStart(40, "0")}`);
  const storeCalls = (list: readonly SettlingCall[]) =>
    db.transaction((tx) => Promise.all(list.map((call) => storeSettlingCall(tx, call))));

  test.each([
    ["reuse alone", ["hit"], 1],
    ["reuse and new work", ["hit", "partial", "miss"], 2],
  ] as const)("%s: they never wait for each other in a circle", async (_name, statuses, seed) => {
    const choices = createSeededChoices(seed);
    await Promise.all([
      db.query({
        text: "INSERT INTO pledges (wallet, capability) SELECT unnest($1::text[]), 'contract.guard'",
        values: [wallets],
      }),
      db.query({
        text: `INSERT INTO seeds (input_hash, capability_id, wallet, source, code_hash, cap_micro_usd, seeded_at,
                 fresh_until)
               SELECT input_hash, 'contract.guard', wallet, 'invocation', '0xc0de', 40000, now() - interval '1 hour',
                 now() + interval '1 hour'
               FROM unnest($1::text[], $2::text[]) AS s (input_hash, wallet)`,
        values: [choices.shuffle(inputs).slice(0, 20), wallets.slice(0, 20)],
      }),
    ]);
    const calls = await storeCalls(
      Array.from({ length: CALLS }, (_, i) => {
        const inputHash = choices.pick(inputs);
        return {
          payer: choices.pick(wallets),
          inputHash,
          status: choices.pick(statuses),
          code: { address: inputHash, hash: choices.chance(0.9) ? "0xc0de" : "0xbeef", block: i },
        };
      }),
    );
    // A batch that fails is not tried again one by one here: a deadlock would show.
    const processes = [db, otherDb].map((database) =>
      createSettlementContext({ ...database, batch: createBatchCalls(() => false) }),
    );
    // Some are taken up by both, as after a lost lease.
    const work = choices.shuffle([...calls, ...calls.slice(0, CALLS / 3)]);
    await Promise.all(work.map((call, i) => finishSettled(processes[i % 2] ?? context, call, "0x01")));
    const [sums] = await db.query<Record<string, bigint | boolean>>({
      text: `SELECT (SELECT sum(settled)::bigint FROM stats_days) AS settled,
               (SELECT sum(wallets)::bigint FROM stats_last_days) AS wallets,
               (SELECT sum(balance_micro_usd)::bigint FROM credit_balances) AS balance,
               (SELECT count(*) FROM seeds WHERE wallet = '') AS unclaimed,
               (SELECT count(*) FROM credit_entries WHERE cause LIKE 'pledge:%') AS pledges,
               (SELECT count(*) > 20 FROM credit_entries WHERE cause LIKE 'dividend:%') AS has_dividends`,
    });
    expect(sums).toEqual({
      settled: BigInt(CALLS),
      wallets: BigInt(wallets.length),
      balance: 0n,
      unclaimed: 0n,
      pledges: BigInt(wallets.length),
      has_dividends: true,
    });
  });
});

test("the operator's own calls are counted apart from those of agents", async () => {
  const calls = [await store(guardMiss(alice)), await store({ ...guardMiss(bob), inputHash: "sha256:2" })];
  await settleTogether(
    createSettlementContext(db, (wallet) => wallet === alice),
    calls,
  );
  for (const table of ["stats_days", "stats_durations", "stats_wallets", "stats_last_days", "stats_cohorts"])
    expect(await db.query({ text: `SELECT is_simulated FROM ${table} ORDER BY 1` })).toEqual([
      { is_simulated: false },
      { is_simulated: true },
    ]);
});

test("a settlement sends its statements in the order in which every transaction takes its locks", async () => {
  await settle(guardMiss(alice));
  await db.query({
    text: "INSERT INTO pledges (wallet, capability, pledged_at) VALUES ($1, 'contract.guard', now() - interval '1 minute')",
    values: [bob],
  });
  const calls = [await store(hit(bob)), await store({ ...guardMiss(carol), inputHash: "sha256:2" })];
  const sent: (string | undefined)[] = [];
  const recording: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          isTransaction: true,
          query(statement) {
            sent.push(statement.name);
            return tx.query(statement);
          },
        }),
      ),
  };
  await settleTogether(createSettlementContext(recording), calls);
  expect(sent).toEqual([
    "invocations_lock",
    "answers_publish",
    "pledges_honour",
    "seeds_open",
    "seeds_lock",
    "dividends_pay",
    "seeds_claim",
    "seeders_record",
    "demand_met_by_calls",
    "credit_accounts",
    "credit_move",
    "stats_wallets_open",
    "stats_wallets_count",
    "stats_calls_count",
    "invocation_settled",
  ]);
  expect([await creditOf(alice), await creditOf(bob)]).toEqual([4_000n, 2_000n]);
});
