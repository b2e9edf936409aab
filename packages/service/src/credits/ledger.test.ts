import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Queryable } from "../store/database.js";
import { isUniqueViolation } from "../store/database.js";
import { createTestDatabase, type TestDatabase } from "../testing/createTestDatabase.js";
import {
  type CreditAccount,
  getBalance,
  holdCredit,
  InsufficientCreditError,
  issueCredit,
  redeemHeldCredit,
  releaseHeldCredit,
} from "./ledger.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const inTransaction = (work: (tx: Queryable) => Promise<void>) => database.transaction(work);
const balances = async (...accounts: CreditAccount[]) =>
  Promise.all(accounts.map((account) => getBalance(database, account)));

/** What the entries alone say each account holds, against what the balances say: no row may differ. */
const listDisagreements = () =>
  database.query({
    text: `WITH recount AS (
             SELECT account, sum(amount)::bigint AS balance FROM (
               SELECT credit_account AS account, amount_micro_usd AS amount FROM credit_entries
               UNION ALL SELECT debit_account, -amount_micro_usd FROM credit_entries) moves GROUP BY account)
           SELECT account, recount.balance, b.balance_micro_usd FROM recount FULL JOIN credit_balances b USING (account)
           WHERE recount.balance IS DISTINCT FROM b.balance_micro_usd`,
  });

test("credit is issued, held for a call, and ends redeemed or back with its wallet", async () => {
  await inTransaction((tx) => issueCredit(tx, "0xa1", "dividend", "call-1", 500n));
  await inTransaction((tx) => holdCredit(tx, "0xa1", "inv-1", 300n));
  expect(await balances("wallet:0xa1", "held:inv-1", "issue:dividend")).toEqual([200n, 300n, -500n]);
  await inTransaction((tx) => redeemHeldCredit(tx, "inv-1", 300n));
  expect(await balances("wallet:0xa1", "held:inv-1", "redeemed")).toEqual([200n, 0n, 300n]);
  await inTransaction((tx) => holdCredit(tx, "0xa1", "inv-2", 200n));
  await inTransaction((tx) => releaseHeldCredit(tx, "0xa1", "inv-2", 200n));
  expect(await balances("wallet:0xa1", "held:inv-2", "redeemed")).toEqual([200n, 0n, 300n]);
  expect(await listDisagreements()).toEqual([]);
});

test("one cause moves credit once: a repeat is refused and changes no balance", async () => {
  const issue = (tx: Queryable) => issueCredit(tx, "0xa2", "review", "outcome-1", 100n);
  await inTransaction(issue);
  await expect(inTransaction(issue)).rejects.toSatisfy(isUniqueViolation);
  await inTransaction((tx) => holdCredit(tx, "0xa2", "inv-3", 40n));
  await expect(inTransaction((tx) => holdCredit(tx, "0xa2", "inv-3", 40n))).rejects.toSatisfy(
    isUniqueViolation,
  );
  expect(await balances("wallet:0xa2", "held:inv-3", "issue:review")).toEqual([60n, 40n, -100n]);
  // Control: the same amount for another cause is credited.
  await inTransaction((tx) => issueCredit(tx, "0xa2", "review", "outcome-2", 100n));
  expect(await balances("wallet:0xa2")).toEqual([160n]);
});

test("a wallet or a hold never goes below zero", async () => {
  await inTransaction((tx) => issueCredit(tx, "0xa3", "pledge", "p-1", 10n));
  for (const spend of [
    (tx: Queryable) => holdCredit(tx, "0xa3", "inv-4", 11n),
    (tx: Queryable) => holdCredit(tx, "0xnobody", "inv-5", 1n),
    (tx: Queryable) => redeemHeldCredit(tx, "inv-6", 1n),
  ])
    await expect(inTransaction(spend)).rejects.toThrow(InsufficientCreditError);
  expect(await balances("wallet:0xa3", "held:inv-4")).toEqual([10n, 0n]);
  const overdraw = "UPDATE credit_balances SET balance_micro_usd = -1 WHERE account = 'wallet:0xa3'";
  await expect(database.query({ text: overdraw })).rejects.toThrow(/check constraint/);
});

test("amounts of zero or less are refused", async () => {
  await inTransaction((tx) => issueCredit(tx, "0xa4", "pledge", "p-2", 10n));
  for (const amount of [0n, -1n]) {
    await expect(
      inTransaction((tx) => issueCredit(tx, "0xa4", "pledge", `p${amount}`, amount)),
    ).rejects.toThrow();
    await expect(inTransaction((tx) => holdCredit(tx, "0xa4", `inv${amount}`, amount))).rejects.toThrow();
  }
  expect(await balances("wallet:0xa4")).toEqual([10n]);
  expect(await listDisagreements()).toEqual([]);
});

test("racing holds share out exactly what there is; reading first and writing after would not", async () => {
  await inTransaction((tx) => issueCredit(tx, "0xa5", "dividend", "race", 100n));
  const hold = (racer: number) =>
    inTransaction((tx) => holdCredit(tx, "0xa5", `race-${racer}`, 10n)).then(
      () => true,
      (error) => {
        expect(error).toBeInstanceOf(InsufficientCreditError);
        return false;
      },
    );
  const won = await Promise.all(Array.from({ length: 40 }, (_, racer) => hold(racer)));
  expect(won.filter(Boolean)).toHaveLength(10);
  expect(await balances("wallet:0xa5")).toEqual([0n]);
  expect(await listDisagreements()).toEqual([]);

  // Control: the same race with a check that is separate from the write spends the credit more than once.
  await database.query({ text: "CREATE TABLE naive AS SELECT 100::bigint AS balance" });
  const holdNaively = async () => {
    const [row] = await database.query<{ balance: bigint }>({ text: "SELECT balance FROM naive" });
    if ((row?.balance ?? 0n) < 10n) return false;
    await database.query({ text: "UPDATE naive SET balance = balance - 10" });
    return true;
  };
  const naive = await Promise.all(Array.from({ length: 40 }, holdNaively));
  expect(naive.filter(Boolean).length).toBeGreaterThan(10);
});

interface Model {
  readonly balances: Map<string, bigint>;
  readonly causes: Set<string>;
}

/** The ledger's rules again, in memory. True when the move is allowed. */
function moveInModel(model: Model, cause: string, from: string, to: string, amount: bigint): boolean {
  const held = model.balances.get(from) ?? 0n;
  if (model.causes.has(cause) || (held < amount && !from.startsWith("issue:"))) return false;
  model.causes.add(cause);
  model.balances.set(from, held - amount);
  model.balances.set(to, (model.balances.get(to) ?? 0n) + amount);
  return true;
}

interface Command {
  readonly kind: "issue" | "hold" | "redeem" | "release";
  readonly wallet: string;
  readonly call: string;
  readonly amount: bigint;
}

const command = fc.record<Command>({
  kind: fc.constantFrom("issue", "hold", "redeem", "release"),
  wallet: fc.constantFrom("m1", "m2", "m3"),
  call: fc.integer({ min: 0, max: 30 }).map((n) => `m-call-${n}`),
  amount: fc.integer({ min: 1, max: 50 }).map(BigInt),
});

test("any history of issues, holds, redemptions and releases agrees with a model in memory", async () => {
  const model: Model = { balances: new Map(), causes: new Set() };
  const run = ({ kind, wallet, call, amount }: Command) => {
    const steps = {
      issue: () => [
        moveInModel(model, `model:${call}`, "issue:model", `wallet:${wallet}`, amount),
        (tx: Queryable) => issueCredit(tx, wallet, "model", call, amount),
      ],
      hold: () => [
        moveInModel(model, `hold:${call}`, `wallet:${wallet}`, `held:${call}`, amount),
        (tx: Queryable) => holdCredit(tx, wallet, call, amount),
      ],
      redeem: () => [
        moveInModel(model, `redeem:${call}`, `held:${call}`, "redeemed-by-model", amount),
        (tx: Queryable) => redeemHeldCredit(tx, call, amount),
      ],
      release: () => [
        moveInModel(model, `release:${call}`, `held:${call}`, `wallet:${wallet}`, amount),
        (tx: Queryable) => releaseHeldCredit(tx, wallet, call, amount),
      ],
    } as const;
    return steps[kind]() as [boolean, (tx: Queryable) => Promise<void>];
  };
  const redeemedBefore = await getBalance(database, "redeemed");
  const [history = []] = fc.sample(fc.array(command, { minLength: 300, maxLength: 300 }), {
    numRuns: 1,
    seed: 8453,
  });
  const outcomes = new Set<string>();
  for (const step of history) {
    const [allowed, move] = run(step);
    const done = await inTransaction(move).then(
      () => true,
      () => false,
    );
    expect({ step, done }).toEqual({ step, done: allowed });
    outcomes.add(`${step.kind} ${allowed}`);
  }
  // The history was worth running: every kind was both allowed and refused.
  expect(outcomes.size).toBe(8);
  for (const [account, balance] of model.balances) {
    if (account === "redeemed-by-model")
      expect((await getBalance(database, "redeemed")) - redeemedBefore).toBe(balance);
    else expect([account, await getBalance(database, account as CreditAccount)]).toEqual([account, balance]);
  }
  expect(await listDisagreements()).toEqual([]);
});

test("debits equal credits over the whole ledger, and a changed balance is noticed", async () => {
  const [sum] = await database.query<{ total: bigint }>({
    text: "SELECT sum(balance_micro_usd)::bigint AS total FROM credit_balances",
  });
  expect(sum?.total).toBe(0n);
  const nudge = (by: number) =>
    database.query({
      text: `UPDATE credit_balances SET balance_micro_usd = balance_micro_usd + ${by} WHERE account = 'redeemed'`,
    });
  await nudge(1);
  expect(await listDisagreements()).toHaveLength(1);
  await nudge(-1);
  expect(await listDisagreements()).toEqual([]);
});
