import { expect, test } from "vitest";
import { createBatchCalls } from "../store/batchCalls.js";
import type { Database, Statement } from "../store/database.js";
import type { Invocation } from "./invocations.js";
import { readPayerRecord } from "./payerRecord.js";

test("calls that were reserved together are looked up by one statement, and each gets its own answer", async () => {
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
  const read = (invocationId: string) => readPayerRecord(database, { invocationId } as Invocation);
  expect(await Promise.all(["first", "second"].map(read))).toEqual([
    { hasPaid: false, pendingAmount: 0n },
    { hasPaid: true, pendingAmount: 7n },
  ]);
  expect(asked.map(({ values }) => values)).toEqual([[JSON.stringify(["first", "second"])]]);
});
