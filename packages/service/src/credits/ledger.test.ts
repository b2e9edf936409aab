import { hashCanonical } from "@assay/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { isUniqueViolation } from "../store/database.js";
import {
  type CreditAccount,
  type CreditEntry,
  type CreditMove,
  getBalance,
  holdMove,
  InsufficientCreditError,
  issueMove,
  moveCredits,
  redeemMove,
  releaseMove,
} from "./ledger.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** One transaction that moves all of these. */
const post = (...moves: CreditMove[]): Promise<CreditEntry[]> =>
  database.transaction((tx) => moveCredits(tx, moves));
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
  await post(issueMove("0xa1", "dividend", "call-1", 500n));
  await post(holdMove("0xa1", "inv-1", 300n));
  expect(await balances("wallet:0xa1", "held:inv-1", "issue:dividend")).toEqual([200n, 300n, -500n]);
  await post(redeemMove("inv-1", 300n));
  expect(await balances("wallet:0xa1", "held:inv-1", "redeemed")).toEqual([200n, 0n, 300n]);
  await post(holdMove("0xa1", "inv-2", 200n));
  await post(releaseMove("0xa1", "inv-2", 200n));
  expect(await balances("wallet:0xa1", "held:inv-2", "redeemed")).toEqual([200n, 0n, 300n]);
  expect(await listDisagreements()).toEqual([]);
});

test("a batch moves everything in it, whatever accounts its moves share", async () => {
  const redeemedBefore = await getBalance(database, "redeemed");
  await post(issueMove("0xb1", "review", "batch-0", 70n));
  await post(holdMove("0xb1", "batch-inv", 70n));
  const entries = await post(
    redeemMove("batch-inv", 70n),
    issueMove("0xb1", "dividend", "batch-1", 5n),
    issueMove("0xb2", "dividend", "batch-2", 7n),
    issueMove("0xb1", "dividend", "batch-3", 11n),
  );
  expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(4);
  expect(await balances("wallet:0xb1", "wallet:0xb2", "held:batch-inv")).toEqual([16n, 7n, 0n]);
  expect((await getBalance(database, "redeemed")) - redeemedBefore).toBe(70n);
  expect(await post()).toEqual([]);
  expect(await listDisagreements()).toEqual([]);
});

test("one cause moves credit once: a repeat is refused and changes no balance", async () => {
  const issue = issueMove("0xa2", "review", "outcome-1", 100n);
  await post(issue);
  await expect(post(issue)).rejects.toSatisfy(isUniqueViolation);
  const twin = issueMove("0xa2", "review", "outcome-twin", 1n);
  await expect(post(twin, twin)).rejects.toSatisfy(isUniqueViolation);
  await post(holdMove("0xa2", "inv-3", 40n));
  await expect(post(holdMove("0xa2", "inv-3", 40n))).rejects.toSatisfy(isUniqueViolation);
  expect(await balances("wallet:0xa2", "held:inv-3", "issue:review")).toEqual([60n, 40n, -170n]);
  // Control: the same amount for another cause is credited.
  await post(issueMove("0xa2", "review", "outcome-2", 100n));
  expect(await balances("wallet:0xa2")).toEqual([160n]);
});

test("racers with one cause: one of them moves credit", async () => {
  const racers = Array.from({ length: 20 }, () =>
    post(issueMove("0xa7", "dividend", "one", 10n), issueMove("0xa8", "dividend", "one too", 1n)).then(
      () => true,
      (error) => {
        expect(error).toSatisfy(isUniqueViolation);
        return false;
      },
    ),
  );
  expect((await Promise.all(racers)).filter(Boolean)).toHaveLength(1);
  expect(await balances("wallet:0xa7", "wallet:0xa8")).toEqual([10n, 1n]);
});

test("a wallet or a hold never goes below zero, and the transaction that tries leaves nothing", async () => {
  await post(issueMove("0xa3", "pledge", "p-1", 10n));
  for (const spend of [
    [holdMove("0xa3", "inv-4", 11n)],
    [holdMove("0xnobody", "inv-5", 1n)],
    [redeemMove("inv-6", 1n)],
    // The moves beside it, and what the transaction did before, go with it.
    [issueMove("0xa9", "dividend", "beside", 5n), holdMove("0xa3", "inv-7", 11n)],
  ]) {
    const attempt = database.transaction(async (tx) => {
      await tx.query({ text: "INSERT INTO pledges (wallet, capability) VALUES ('0xa3', 'some.name')" });
      await moveCredits(tx, spend);
    });
    await expect(attempt).rejects.toThrow(InsufficientCreditError);
  }
  expect(await balances("wallet:0xa3", "held:inv-4", "wallet:0xa9")).toEqual([10n, 0n, 0n]);
  expect(await database.query({ text: "SELECT FROM pledges" })).toHaveLength(0);
  expect(
    await database.query({
      text: "SELECT FROM credit_balances WHERE account IN ('held:inv-4', 'wallet:0xa9')",
    }),
  ).toHaveLength(0);
  const overdraw = "UPDATE credit_balances SET balance_micro_usd = -1 WHERE account = 'wallet:0xa3'";
  await expect(database.query({ text: overdraw })).rejects.toThrow(/check constraint/);
});

test("amounts of zero or less are refused", async () => {
  await post(issueMove("0xa4", "pledge", "p-2", 10n));
  for (const amount of [0n, -1n]) {
    await expect(post(issueMove("0xa4", "pledge", `p${amount}`, amount))).rejects.toThrow(/check constraint/);
    await expect(post(holdMove("0xa4", `inv${amount}`, amount))).rejects.toThrow(/check constraint/);
  }
  expect(await balances("wallet:0xa4")).toEqual([10n]);
  expect(await listDisagreements()).toEqual([]);
});

test("no entry leads from a wallet to another, or backwards", async () => {
  await post(issueMove("0xc1", "dividend", "paths", 10n));
  await post(holdMove("0xc1", "paths", 5n));
  const paths: [CreditAccount, CreditAccount][] = [
    ["wallet:0xc1", "wallet:0xc2"],
    ["wallet:0xc1", "redeemed"],
    ["wallet:0xc1", "issue:dividend"],
    ["held:paths", "held:other"],
    ["held:paths", "issue:review"],
    ["redeemed", "wallet:0xc2"],
    ["issue:dividend", "redeemed"],
    ["issue:dividend", "held:paths"],
  ];
  for (const [from, to] of paths)
    await expect(
      post({ cause: `path ${from} ${to}`, from, to, amountMicroUsd: 1n }),
      `${from} → ${to}`,
    ).rejects.toThrow(/"credit_paths"/);
  expect(await balances("wallet:0xc1", "held:paths", "wallet:0xc2")).toEqual([5n, 5n, 0n]);
});

test("an entry's hash is made of its row, which shows whose it is, and of a salt of its own", async () => {
  const entries = await post(
    issueMove("0xd1", "review", "hash-1", 25n),
    issueMove("0xd1", "review", "hash-2", 25n),
  );
  const rows = await database.query<Record<"entry_id" | "amount_micro_usd", bigint> & Record<string, string>>(
    {
      text: "SELECT * FROM credit_entries WHERE credit_account = 'wallet:0xd1' ORDER BY entry_id",
    },
  );
  const hashOf = (row: (typeof rows)[number], salt = row.salt) =>
    hashCanonical({
      cause: row.cause,
      from: row.debit_account,
      to: row.credit_account,
      amountMicroUsd: row.amount_micro_usd.toString(),
      salt,
    });
  expect(entries).toEqual(rows.map((row) => ({ entryId: row.entry_id.toString(), entryHash: hashOf(row) })));
  // Without the salt nobody can compute the hash of a guess.
  const [first, second] = rows as [(typeof rows)[number], (typeof rows)[number]];
  expect(first.salt).not.toBe(second.salt);
  expect(hashOf(first, second.salt)).not.toBe(entries[0]?.entryHash);
});

test("racing holds share out exactly what there is; reading first and writing after would not", async () => {
  await post(issueMove("0xa5", "dividend", "race", 100n));
  const hold = (racer: number) =>
    post(holdMove("0xa5", `race-${racer}`, 10n)).then(
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

test("transactions that touch the same accounts in any order never wait for each other in a circle", async () => {
  const wallets = Array.from({ length: 12 }, (_, i) => `0xe${i}`);
  // Half of the accounts exist beforehand, the others are made by the transaction that comes first.
  await post(...wallets.slice(0, 6).map((wallet) => issueMove(wallet, "pledge", `order ${wallet}`, 1n)));
  const [orders = []] = fc.sample(
    fc.array(fc.shuffledSubarray(wallets, { minLength: 8 }), { minLength: 60, maxLength: 60 }),
    { numRuns: 1, seed: 8453 },
  );
  await Promise.all(
    orders.map((order, n) =>
      post(...order.map((wallet) => issueMove(wallet, "review", `${n} ${wallet}`, 1n))),
    ),
  );
  const held = await Promise.all(wallets.map((wallet) => getBalance(database, `wallet:${wallet}`)));
  const given = orders.reduce((sum, order) => sum + order.length, 6);
  expect(held.reduce((sum, balance) => sum + balance, 0n)).toBe(BigInt(given));

  // Control: the same wallets credited one statement each, in the order given, do lock each other out.
  const creditOneByOne = (order: readonly string[]) =>
    database.transaction(async (tx) => {
      await tx.query({ text: "SET LOCAL deadlock_timeout = '20ms'" });
      for (const wallet of order)
        await tx.query({
          text: "UPDATE credit_balances SET balance_micro_usd = balance_micro_usd WHERE account = $1",
          values: [`wallet:${wallet}`],
        });
    });
  const ends = await Promise.allSettled(orders.slice(0, 12).map(creditOneByOne));
  expect(ends).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ code: "40P01" }) }),
  );
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
