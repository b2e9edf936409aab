import { expect, test } from "vitest";
import { createBatchCalls } from "../store/batchCalls.js";
import type { Database, Statement } from "../store/database.js";
import { hasPaidLately, readPayerRecord } from "./payerRecord.js";

const first = { invocationId: "first", payer: "0xa" };
const second = { invocationId: "second", payer: "0xb" };

/** A database that knows two calls: the payer of the second has paid before. */
function openDatabase() {
  const asked: Statement[] = [];
  const database = {
    batch: createBatchCalls(() => true),
    async query(statement: Statement) {
      asked.push(statement);
      return [
        { invocation_id: "second", has_paid: true, pending: "7" },
        { invocation_id: "first", has_paid: false, pending: "0" },
      ];
    },
  } as unknown as Database;
  return { database, asked };
}

test("calls that were reserved together are looked up by one statement, and each gets its own answer", async () => {
  const { database, asked } = openDatabase();
  expect(await Promise.all([first, second].map((call) => readPayerRecord(database, call)))).toEqual([
    { hasPaid: false, pendingAmount: 0n },
    { hasPaid: true, pendingAmount: 7n },
  ]);
  expect(asked.map(({ values }) => values)).toEqual([[JSON.stringify(["first", "second"])]]);
});

test("a payer that has paid is remembered for ten minutes, a stranger and another database's payer are not", async () => {
  const { database } = openDatabase();
  expect(hasPaidLately(database, second)).toBe(false);
  await Promise.all([first, second].map((call) => readPayerRecord(database, call)));
  expect([first, second].map((call) => hasPaidLately(database, call))).toEqual([false, true]);
  expect(hasPaidLately(openDatabase().database, second)).toBe(false);
  const minutesLater = (minutes: number) => hasPaidLately(database, second, Date.now() + minutes * 60_000);
  expect([9, 11].map(minutesLater)).toEqual([true, false]);
});
