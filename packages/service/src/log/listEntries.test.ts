import { type Hex, isIncluded, leafHashOf } from "@assay/protocol";
import { beforeEach, expect, test } from "vitest";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import type { Queryable, Statement } from "../store/database.js";
import { appendLeaves, type Leaf } from "./appendLeaves.js";
import { listEntries, pickEntries } from "./listEntries.js";
import { getLogProof } from "./logProofs.js";
import { packLog } from "./packLog.js";
import { getSignedHead } from "./signedHeads.js";
import { createLog, type TestLog } from "./testing/createLog.js";

const place = useTestDatabase();
let log: TestLog;
beforeEach(async () => {
  log = await createLog(place.database);
});

const append = (leaves: readonly Leaf[]) =>
  log.database.transaction((tx) =>
    appendLeaves(tx, leaves, { name: "log_test", text: "SELECT leaf_index FROM appended" }),
  );
const publication: Leaf = {
  kind: "publication",
  subject: "p",
  content: { address: "0xaa", bytecodeBytes: 3 },
};

test("entries come newest first, page by page, from rows and from tiles", async () => {
  await log.append(600);
  await append([publication]);
  await getSignedHead(log);
  expect(await packLog(log.database, 0)).toBe(2);
  const seen: number[] = [];
  let before: number | undefined;
  do {
    const { size, entries, next } = await listEntries(log.database, { before, limit: 100 });
    expect(size).toBe(601);
    seen.push(...entries.map(({ index }) => index));
    before = next ?? undefined;
  } while (before !== undefined);
  expect(seen).toEqual(Array.from({ length: 601 }, (_, place) => 600 - place));
});

test("what an entry shows hashes to the leaf that its path proves", async () => {
  await log.append(300);
  await append([publication]);
  const { root } = await getSignedHead(log);
  await packLog(log.database, 0);
  const { entries } = await pickEntries(log.database, [300, 7, 7, 999]);
  expect(entries.map(({ index }) => index)).toEqual([300, 7]);
  for (const { index, leaf, leafHash } of entries) {
    const proof = await getLogProof(log, index);
    expect(proof.leafHash).toBe(leafHash);
    expect(isIncluded(proof, root as Hex)).toBe(true);
    if (leaf !== null) expect(leafHashOf(new TextEncoder().encode(leaf))).toBe(leafHash);
  }
  expect(entries[0]?.leaf).toContain('"kind":"publication"');
});

test("no list says what a wallet bought or did: of those entries only kind and hash are shown", async () => {
  await append(
    (["receipt", "credit", "decision", "reorg"] as const).map((kind) => ({
      kind,
      subject: kind,
      content: { payer: "0xbuyer", invocationId: "inv_secret" },
    })),
  );
  const { entries } = await listEntries(log.database, { limit: 10 });
  expect(entries.map(({ kind, leaf }) => [kind, leaf])).toEqual([
    ["reorg", null],
    ["decision", null],
    ["credit", null],
    ["receipt", null],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/buyer|secret/);
});

test("entries of one kind are found among many others, and the reader learns where to go on", async () => {
  await append([publication]);
  await log.append(2_100);
  await append([publication, publication]);
  const first = await listEntries(log.database, { limit: 10, kind: "publication" });
  expect(first.entries.map(({ index }) => index)).toEqual([2_102, 2_101]);
  expect(first.next).toBe(2_103 - 2_048);
  const rest = await listEntries(log.database, { limit: 10, kind: "publication", before: first.next ?? 0 });
  expect(rest).toMatchObject({ entries: [{ index: 0 }], next: null });
  const one = await listEntries(log.database, { limit: 1, kind: "publication" });
  expect(one).toMatchObject({ entries: [{ index: 2_102 }], next: 2_102 });
});

test("a list of one kind fetches no other entries, and many places take no more statements than one", async () => {
  const fetched: number[] = [];
  const counting: Queryable = {
    async query<Row>(statement: Statement) {
      const rows = await log.database.query<Row>(statement);
      fetched.push(rows.length);
      return rows;
    },
  };
  await log.append(700);
  await append([publication]);
  const list = await listEntries(counting, { limit: 10, kind: "publication" });
  expect(list.entries.map(({ index }) => index)).toEqual([700]);
  expect(Math.max(...fetched)).toBe(1);
  await getSignedHead(log);
  await packLog(log.database, 0);
  const packed = await listEntries(counting, { limit: 10, kind: "receipt" });
  expect(packed.entries.map(({ index }) => index)).toEqual(Array.from({ length: 10 }, (_, i) => 699 - i));
  fetched.length = 0;
  await pickEntries(counting, [0]);
  const forOne = fetched.length;
  fetched.length = 0;
  const many = await pickEntries(counting, [600, 3, 2, 1, 0]);
  expect(many.entries.map(({ index }) => index)).toEqual([600, 3, 2, 1, 0]);
  expect(fetched.length).toBe(forOne);
});
