import { isConsistent, isIncluded } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getConsistencyPath, getInclusionPath, getLogRoot } from "./logTree.js";
import { getLogSize } from "./signedHeads.js";
import { createLog, defineRoot, type TestLog } from "./testing/createLog.js";

let log: TestLog;
beforeAll(async () => {
  log = await createLog();
});
afterAll(() => log.database.close());

const readLeaves = async () => {
  const rows = await log.database.query<{ leaf: Buffer; leaf_index: bigint }>({
    text: "SELECT leaf, leaf_index FROM log_leaves ORDER BY leaf_index",
  });
  expect(rows.map(({ leaf_index }) => Number(leaf_index))).toEqual(rows.map((_, i) => i));
  return rows.map(({ leaf }) => leaf);
};

test("appended one by one and in batches, the tree is the one RFC 6962 defines, at every size", async () => {
  for (const count of [1, 1, 1, 2, 3, 5, 1, 8, 13, 64, 1, 30]) await log.append(count);
  const leaves = await readLeaves();
  expect(leaves).toHaveLength(130);
  for (let size = 0; size <= leaves.length; size++)
    expect(await getLogRoot(log.database, size), `${size}`).toBe(defineRoot(leaves.slice(0, size)));
  expect(await log.database.query({ text: "SELECT log_find_fault(0, 130) AS fault" })).toEqual([
    { fault: null },
  ]);
});

test("every leaf is proven in every tree that holds it", async () => {
  const roots = await Promise.all(Array.from({ length: 131 }, (_, size) => getLogRoot(log.database, size)));
  for (const size of [1, 2, 3, 7, 8, 9, 64, 65, 100, 127, 128, 129, 130])
    for (let index = 0; index < size; index++) {
      const proof = { index, size, ...(await getInclusionPath(log.database, index, size)) };
      if (!isIncluded(proof, roots[size] ?? "0x")) expect.fail(`leaf ${index} of ${size}`);
    }
});

test("any two sizes are proven consistent", async () => {
  const roots = await Promise.all(Array.from({ length: 131 }, (_, size) => getLogRoot(log.database, size)));
  for (const second of [0, 1, 2, 3, 8, 13, 64, 100, 129, 130])
    for (let first = 0; first <= second; first++) {
      const proof = { first, second, path: await getConsistencyPath(log.database, first, second) };
      if (!isConsistent(proof, roots[first] ?? "0x", roots[second] ?? "0x"))
        expect.fail(`${first} and ${second}`);
    }
});

test("a leaf that is rolled back leaves no gap, and appends at the same time do not collide", async () => {
  const before = await getLogSize(log.database);
  await expect(
    log.database.transaction(async (tx) => {
      await tx.query({ text: "SELECT log_append(ARRAY['receipt'], ARRAY['lost'::bytea])" });
      throw new Error("changed my mind");
    }),
  ).rejects.toThrow("changed my mind");
  expect(await getLogSize(log.database)).toBe(before);
  await Promise.all(Array.from({ length: 12 }, (_, i) => log.append(1 + (i % 3))));
  const leaves = await readLeaves();
  expect(leaves).toHaveLength(before + 24);
  expect(await getLogRoot(log.database, leaves.length)).toBe(defineRoot(leaves));
});
