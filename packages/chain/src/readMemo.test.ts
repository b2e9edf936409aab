import { expect, test } from "vitest";
import { createReadMemo } from "./readMemo.js";

const reading = (value: string) => ({ status: "value", value: `0x${value}` }) as const;

test("the least recently used reading goes first", () => {
  const memo = createReadMemo({ maxEntries: 2, maxBytes: 1_000_000 });
  memo.remember("a", reading("01"));
  memo.remember("b", reading("02"));
  memo.find("a");
  memo.remember("c", reading("03"));
  expect([memo.find("a"), memo.find("b"), memo.find("c")]).toEqual([reading("01"), undefined, reading("03")]);
});

test("bytes are bounded as well as entries", () => {
  const memo = createReadMemo({ maxEntries: 1_000, maxBytes: 10_000 });
  for (let i = 0; i < 20; i += 1) memo.remember(`${i}`, reading("ff".repeat(1_000)));
  const kept = Array.from({ length: 20 }, (_, i) => memo.find(`${i}`)).filter((found) => found !== undefined);
  expect(kept).toHaveLength(4);
  memo.remember("huge", reading("ff".repeat(10_000)));
  expect(memo.find("huge")).toBeUndefined();
  expect(memo.find("19")).toBeDefined();
});

test("unanswered is not kept, absent and reverted are", () => {
  const memo = createReadMemo({ maxEntries: 10, maxBytes: 10_000 });
  memo.remember("unanswered", { status: "unanswered", reason: "timeout" });
  memo.remember("absent", { status: "absent" });
  memo.remember("reverted", { status: "reverted", data: null });
  expect(memo.find("unanswered")).toBeUndefined();
  expect(memo.find("absent")).toEqual({ status: "absent" });
  expect(memo.find("reverted")).toEqual({ status: "reverted", data: null });
});
