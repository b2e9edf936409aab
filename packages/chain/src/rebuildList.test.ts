import { setImmediate } from "node:timers/promises";
import { buildOrderedTrie, type JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { rebuildList } from "./rebuildList.js";

const encode = ({ length }: JsonObject) => new Uint8Array(length as number).fill(1);
const rootOf = (list: readonly JsonObject[]) => buildOrderedTrie(list.map(encode)).root;

test.each<[what: string, list: readonly JsonObject[]]>([
  ["many small entries", Array.from({ length: 500 }, () => ({ length: 1_000 }))],
  ["few large ones", Array.from({ length: 8 }, () => ({ length: 64 * 1_024 }))],
])("the event loop serves others while a list of %s is rebuilt", async (_, list) => {
  const root = rootOf(list);
  let isDone = false;
  const rebuilding = rebuildList(list, encode, root).finally(() => {
    isDone = true;
  });
  let served = 0;
  for (; !isDone; served += 1) await setImmediate();
  expect(await rebuilding).toMatchObject({ status: "value", value: { root } });
  // Half a megabyte, once encoded and once hashed, with a pause every 64 KB.
  expect(served).toBeGreaterThan(10);
});

test("a list that is too large is not rebuilt, and one that makes another root proves nothing", async () => {
  const tooMany = Array.from({ length: 2_001 }, () => ({ length: 1 }));
  const tooLong = Array.from({ length: 33 }, () => ({ length: 64 * 1_024 }));
  for (const list of [tooMany, tooLong])
    expect(await rebuildList(list, encode, rootOf([]))).toEqual({
      status: "unanswered",
      reason: "block_too_large",
    });
  expect(await rebuildList([{ length: 1 }], encode, rootOf([]))).toEqual({ status: "absent" });
});
