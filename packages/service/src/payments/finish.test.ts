import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { getBalance, holdMove, issueMove, moveCredits } from "../credits/ledger.js";
import { fingerprintInputHash } from "../market/fingerprintSeed.js";
import type { Database } from "../store/database.js";
import { finishSettled } from "./finishSettled.js";
import { finishFailed } from "./finishUncharged.js";
import {
  address,
  alice,
  bob,
  carol,
  code,
  guardMiss,
  hit,
  openSettlingWorld,
} from "./testing/openSettlingWorld.js";
import { createSettlementContext, settleTogether, storeSettlingCall } from "./testing/settlingCalls.js";

const world = await openSettlingWorld();
const { db, otherDb, context, store, settle, creditOf, getSeed, getPublisher, endSeed } = world;
beforeEach(() => world.empty());
afterAll(() => world.close());

describe("seeds", () => {
  test("new work makes its payer the seeder and takes the input off the list of what is wanted", async () => {
    await db.query({
      text: "INSERT INTO demand (input_hash, capability_id, input, misses) VALUES ('sha256:1', 'contract.guard', '{}', 3), ('sha256:2', 'contract.guard', '{}', 1)",
    });
    await settle(guardMiss(alice));
    expect(await getSeed()).toEqual({
      wallet: alice,
      code_hash: "0xc0de",
      cap_micro_usd: 5_000_000n,
      earned_micro_usd: 0n,
      days: 30,
    });
    expect(await getPublisher(alice)).toEqual({ seeded: 1n, dividends: 0n, dividend_micro_usd: 0n });
    expect(await db.query({ text: "SELECT input_hash FROM demand" })).toEqual([{ input_hash: "sha256:2" }]);
  });

  test("an answer of another capability is seeded for as long as it lives, by a partial miss too", async () => {
    const metadata = { capabilityId: "token.metadata", status: "partial", answerLivesMs: 3_600_000 } as const;
    await settle({ payer: alice, ...metadata }, { payer: bob, ...metadata });
    // The first of two that settle together.
    expect(await getSeed()).toMatchObject({
      wallet: alice,
      code_hash: null,
      cap_micro_usd: 1_500_000n,
      days: 0,
    });
    await settle({ payer: bob, ...metadata });
    expect(await getSeed()).toMatchObject({ wallet: alice });
    expect(await creditOf(alice)).toBe(0n);
  });

  test("nothing is seeded by what nobody can reuse", async () => {
    await settle(
      // Private, or somebody's earlier answer.
      { payer: alice, status: "miss", isComputed: false },
      // Incomplete: it ended when it was given.
      {
        payer: alice,
        inputHash: "sha256:2",
        capabilityId: "token.metadata",
        status: "miss",
        answerLivesMs: 0,
      },
      // No code was read.
      { payer: alice, inputHash: "sha256:3", status: "miss" },
    );
    expect(await db.query({ text: "SELECT FROM seeds" })).toEqual([]);
    expect(await getPublisher(alice)).toBeUndefined();
  });

  test("an attested publisher may earn twice as much, unless an audit failed in the last 30 days", async () => {
    await db.query({
      text: `INSERT INTO publishers (wallet, passed_with_code, last_failed_at)
             VALUES ($1, 1, NULL), ($2, 5, now() - interval '29 days'), ($3, 1, now() - interval '31 days')`,
      values: [alice, bob, carol],
    });
    const ofInput = (payer: string) => ({ ...guardMiss(payer), inputHash: payer });
    await settle(ofInput(alice), ofInput(bob), ofInput(carol));
    const caps = await Promise.all(
      [alice, bob, carol].map(async (one) => (await getSeed(one))?.cap_micro_usd),
    );
    expect(caps).toEqual([10_000_000n, 5_000_000n, 10_000_000n]);
  });

  test("a seed past its time is open again; a fresh one is not", async () => {
    await settle(guardMiss(alice));
    await settle(hit(bob), guardMiss(carol, 2));
    // A fifth of what each has paid; new work at the full price uses what alice knew as well.
    expect(await getSeed()).toMatchObject({ wallet: alice, earned_micro_usd: 24_000n });
    await endSeed();
    await settle(guardMiss(carol, 3));
    expect(await getSeed()).toMatchObject({ wallet: carol, earned_micro_usd: 0n, days: 30 });
    await settle(hit(bob));
    expect([await creditOf(alice), await creditOf(carol)]).toEqual([24_000n, 4_000n]);
  });

  test("other code at the address opens the seed again, and its first reader earns nothing for the last one", async () => {
    await settle(guardMiss(alice));
    await settle({ payer: bob, status: "partial", priceMicroUsd: 50_000n, code: code("0xbeef", 2) });
    expect(await getSeed()).toMatchObject({ wallet: bob, code_hash: "0xbeef" });
    expect(await creditOf(alice)).toBe(0n);
    await settle({ payer: carol, status: "miss", code: code(null, 3) });
    expect(await getSeed()).toMatchObject({ wallet: carol, code_hash: null });
  });

  test("an answer about older code that settles late opens nothing", async () => {
    const late = await store({ payer: bob, status: "miss", code: code("0x01d", 1) });
    await settle(guardMiss(alice, 2));
    await settleTogether(context, [late]);
    expect(await getSeed()).toMatchObject({ wallet: alice, code_hash: "0xc0de" });
  });

  test("of fifty who compute the same input at once, in two processes, one is its seeder", async () => {
    const calls = await Promise.all(
      Array.from({ length: 50 }, (_, i) => store(guardMiss(`0x${i.toString().padStart(40, "0")}`))),
    );
    const other = createSettlementContext(otherDb);
    await Promise.all(calls.map((call, i) => finishSettled(i % 2 ? context : other, call, "0x01")));
    const [count] = await db.query<{ seeded: bigint; wallets: bigint }>({
      text: "SELECT sum(seeded)::bigint AS seeded, count(*) AS wallets FROM publishers",
    });
    expect(count).toEqual({ seeded: 1n, wallets: 1n });
  });
});

describe("dividends", () => {
  test("a fifth of what another wallet paid for reuse, none for one's own", async () => {
    await settle(guardMiss(alice));
    await settle(hit(bob), hit(alice), {
      payer: carol,
      status: "partial",
      priceMicroUsd: 50_000n,
      code: code("0xc0de", 2),
    });
    expect(await creditOf(alice)).toBe(4_000n + 10_000n);
    expect(await getSeed()).toMatchObject({ wallet: alice, earned_micro_usd: 14_000n });
    expect(await getPublisher(alice)).toEqual({ seeded: 1n, dividends: 2n, dividend_micro_usd: 14_000n });
    expect(await getBalance(db, "issue:dividend")).toBe(-14_000n);
    const [day] = await db.query({ text: "SELECT settled, hits, dividend_micro_usd FROM stats_days" });
    expect(day).toEqual({ settled: 4n, hits: 2n, dividend_micro_usd: 14_000n });
  });

  test("of the part paid in cash only", async () => {
    await settle(guardMiss(alice));
    const call = await store(hit(bob));
    await db.transaction(async (tx) => {
      await moveCredits(tx, [issueMove(bob, "review", "test", 19_000n)]);
      await moveCredits(tx, [holdMove(bob, "hold", 19_000n)]);
      await tx.query({
        text: `UPDATE invocations SET price_micro_usd = 1000, credit_micro_usd = 19000, credit_hold = 'hold'
               WHERE invocation_id = $1`,
        values: [call.invocationId],
      });
    });
    await settleTogether(context, [call]);
    expect(await creditOf(alice)).toBe(200n);
    expect(await getBalance(db, "redeemed")).toBe(19_000n);
  });

  test("the seeder of a fingerprint earns on its reuse by any capability, if the code is the one it speaks of", async () => {
    const inputHash = fingerprintInputHash(address);
    await settle({ ...guardMiss(alice), inputHash });
    const metadata = { capabilityId: "token.metadata", status: "partial", inputHash: "sha256:2" } as const;
    await settle({ payer: bob, ...metadata, code: code("0xc0de", 2) });
    expect(await creditOf(alice)).toBe(4_000n);
    await settle({ payer: bob, ...metadata, code: code("0x0ther", 3) });
    // A scan of the code is other work than the fingerprint.
    await settle({ payer: bob, ...metadata, capabilityId: "contract.interface", code: code("0xc0de", 4) });
    expect(await creditOf(alice)).toBe(4_000n);
    expect(await getSeed(inputHash)).toMatchObject({ wallet: alice, earned_micro_usd: 4_000n });
  });

  test("reuse of other parts of an answer pays nobody", async () => {
    const metadata = { capabilityId: "token.metadata", status: "miss" } as const;
    await settle({ payer: alice, ...metadata });
    await settle({ payer: bob, ...metadata, status: "partial" });
    expect(await creditOf(alice)).toBe(0n);
  });

  test("counts what was fresh when the answer was given, however long the money took", async () => {
    await settle(guardMiss(alice));
    const slow = await store(hit(bob));
    await endSeed();
    const tooLate = await store(hit(carol));
    await settleTogether(context, [slow, tooLate]);
    expect(await creditOf(alice)).toBe(4_000n);
    // A seed that came later has nothing to do with an answer that was there before it.
    const early = await store(hit(bob));
    await settle(guardMiss(carol, 2));
    await settleTogether(context, [early]);
    expect(await creditOf(carol)).toBe(0n);
  });

  test("none before the money has moved, and none for a call that failed", async () => {
    await settle(guardMiss(alice));
    const call = await store(hit(bob));
    expect(await creditOf(alice)).toBe(0n);
    await finishFailed(context, call, "no money");
    await finishSettled(context, call, "0x01");
    expect(await creditOf(alice)).toBe(0n);
    const [day] = await db.query({ text: "SELECT settled, failed FROM stats_days" });
    expect(day).toEqual({ settled: 1n, failed: 1n });
  });

  test("the cap is reached exactly in one batch, and never passed", async () => {
    await settle(guardMiss(alice));
    await db.query({ text: "UPDATE seeds SET cap_micro_usd = 10500" });
    await settle(hit(bob), hit(carol), hit(bob), hit(carol));
    expect(await creditOf(alice)).toBe(10_500n);
    expect(await getPublisher(alice)).toMatchObject({ dividends: 3n, dividend_micro_usd: 10_500n });
    await settle(hit(bob));
    expect(await creditOf(alice)).toBe(10_500n);
  });

  test("the cap holds under fifty settlements at once in two processes", async () => {
    await settle(guardMiss(alice));
    await db.query({ text: "UPDATE seeds SET cap_micro_usd = 100100" });
    const calls = await db.transaction((tx) =>
      Promise.all(
        Array.from({ length: 50 }, () => storeSettlingCall(tx, { ...hit(bob), inputHash: "sha256:1" })),
      ),
    );
    // Each alone, on a connection of its own.
    const processes = [db, db, otherDb, otherDb, otherDb].map((database) =>
      createSettlementContext({ ...database, batch: createUnsharedBatch() }),
    );
    await Promise.all(calls.map((call, i) => finishSettled(processes[i % 5] ?? context, call, "0x01")));
    expect(await creditOf(alice)).toBe(100_100n);
    expect(await getSeed()).toMatchObject({ earned_micro_usd: 100_100n });
    const amounts = await db.query<{ amount_micro_usd: bigint }>({
      text: "SELECT amount_micro_usd FROM credit_entries ORDER BY amount_micro_usd",
    });
    expect(amounts.map((row) => row.amount_micro_usd)).toEqual([100n, ...Array<bigint>(25).fill(4_000n)]);
  });
});

/** No two calls share a transaction. */
function createUnsharedBatch(): Database["batch"] {
  return async (_name, item, work) => {
    const [answer] = await work([item]);
    return answer as never;
  };
}

describe("pledges", () => {
  const pledgeFor = (wallet: string, capability: string) =>
    db.query({
      text: `WITH asked AS (
               INSERT INTO asked_capabilities (capability, pledges) VALUES ($2, 1)
               ON CONFLICT (capability) DO UPDATE SET pledges = asked_capabilities.pledges + 1)
             INSERT INTO pledges (wallet, capability) VALUES ($1, $2)`,
      values: [wallet, capability],
    });
  const snapshot = (payer: string, priceMicroUsd = 5_000n) =>
    ({ payer, status: "miss", capabilityId: "chain.snapshot", priceMicroUsd, isComputed: false }) as const;

  test("a tenth of the price of the first call of that capability, once", async () => {
    await pledgeFor(bob, "chain.snapshot");
    await pledgeFor(carol, "chain.snapshot");
    await settle({ ...snapshot(bob), capabilityId: "token.metadata" }, snapshot(alice));
    expect(await creditOf(bob)).toBe(0n);
    const [first] = await settle(snapshot(bob), snapshot(bob), snapshot(carol));
    await settle(snapshot(bob));
    expect([await creditOf(bob), await creditOf(carol), await creditOf(alice)]).toEqual([500n, 500n, 0n]);
    expect(
      await db.query({
        text: "SELECT invocation_id, credit_micro_usd FROM pledges WHERE wallet = $1",
        values: [bob],
      }),
    ).toEqual([{ invocation_id: first?.invocationId, credit_micro_usd: 500n }]);
    expect(await db.query({ text: "SELECT pledges, pledges_honoured FROM asked_capabilities" })).toEqual([
      { pledges: 2n, pledges_honoured: 2n },
    ]);
  });

  test("at most 0.02, and not for a call that was begun before the pledge", async () => {
    const before = await store(snapshot(bob));
    await pledgeFor(bob, "chain.snapshot");
    await settleTogether(context, [before]);
    expect(await creditOf(bob)).toBe(0n);
    await settle(snapshot(bob, 750_000n));
    expect(await creditOf(bob)).toBe(20_000n);
  });

  test("once, of many calls that settle at once in two processes", async () => {
    await pledgeFor(bob, "chain.snapshot");
    const calls = await Promise.all(Array.from({ length: 20 }, () => store(snapshot(bob))));
    const other = createSettlementContext(otherDb);
    await Promise.all(calls.map((call, i) => finishSettled(i % 2 ? context : other, call, "0x01")));
    expect(await creditOf(bob)).toBe(500n);
  });
});
