import type { Assertion, Hex } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import type { BaseContext } from "../base/context.js";
import { noFailpoints } from "../base/failpoints.js";
import { createDatabase, type Database } from "../store/database.js";
import { markSurvivedClaims } from "./markSurvivedClaims.js";
import { insertClaim } from "./testing/insertClaim.js";

let own: TestDatabase;
let other: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  other = createDatabase({ connectionString: own.connectionString });
});
afterAll(async () => {
  await other.close();
  await own.close();
});

const assertion: Assertion = {
  type: "upgrade_window",
  address: `0x${"0a".repeat(20)}`,
  implementation: null,
  fromBlock: 1,
  toBlock: 2,
};
const survive = (database: Database, limit = 100, failpoints = noFailpoints) =>
  markSurvivedClaims({ database, failpoints } as unknown as BaseContext, limit);
const insertOverdue = () => insertClaim(own, assertion, { hoursLeft: -1 });
const statusOf = async (claimId: Hex) => {
  const [row] = await own.query<{ status: string }>({
    text: "SELECT status FROM claims WHERE claim_id = $1",
    values: [claimId],
  });
  return row?.status;
};
const listVerdicts = async () => {
  const rows = await own.query<{ leaf: Buffer }>({
    text: "SELECT leaf FROM log_leaves WHERE kind = 'verdict'",
  });
  return rows.map(({ leaf }) => JSON.parse(leaf.toString()) as { claimId: Hex; status: string });
};

test("claims survive once their deadline has passed, and not before", async () => {
  const [due, open] = [await insertOverdue(), await insertClaim(own, assertion)];
  expect(await survive(own)).toBe(1);
  expect([await statusOf(due), await statusOf(open)]).toEqual(["survived", "open"]);
  expect((await listVerdicts()).at(-1)).toMatchObject({ claimId: due, status: "survived" });
  expect(await survive(own)).toBe(0);
});

test("two processes at once write each end down once", async () => {
  const due = await Promise.all(Array.from({ length: 60 }, insertOverdue));
  const before = (await listVerdicts()).length;
  const turns = Array.from({ length: 20 }, (_, turn) => survive(turn % 2 === 0 ? own : other, 7));
  const counts = await Promise.all(turns);
  let total = counts.reduce((sum, count) => sum + count, 0);
  for (let more = 1; more > 0; total += more) more = await survive(own);
  expect(total).toBe(60);
  const verdicts = (await listVerdicts()).slice(before);
  expect(verdicts.map(({ claimId }) => claimId).sort()).toEqual([...due].sort());
});

test("a process that dies in the middle leaves the claims open, without leaves, for the next", async () => {
  const due = await insertOverdue();
  const before = (await listVerdicts()).length;
  const reach = () => {
    throw new Error("dead");
  };
  await expect(survive(own, 100, { reach })).rejects.toThrow("dead");
  expect([await statusOf(due), (await listVerdicts()).length]).toEqual(["open", before]);
  expect(await survive(other)).toBe(1);
  expect([await statusOf(due), (await listVerdicts()).length]).toEqual(["survived", before + 1]);
});

test("a claim that another transaction is falsifying is left to it", async () => {
  const due = await insertOverdue();
  await other.transaction(async (tx) => {
    await tx.query({ text: "SELECT FROM claims WHERE claim_id = $1 FOR UPDATE", values: [due] });
    expect(await survive(own)).toBe(0);
  });
  expect(await survive(own)).toBe(1);
});
