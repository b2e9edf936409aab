import { expect, test } from "vitest";
import { parseLogs } from "./parseLogs.js";
import { parseStorageChanges } from "./parseStorageChanges.js";

const ADDRESS = "0x00000000000000000000000000000000000000A1";
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

test("a word that appears or goes is a change from or to zero", () => {
  const changes = parseStorageChanges({
    pre: { [ADDRESS]: { balance: "0x1", storage: { [word(1)]: word(7), [word(2)]: word(8) } } },
    post: { [ADDRESS]: { nonce: 1, storage: { [word(1)]: word(9), [word(3)]: word(4) } } },
  });
  const address = ADDRESS.toLowerCase();
  expect(changes).toEqual({
    status: "value",
    value: [
      { address, slot: word(1), before: word(7), after: word(9) },
      { address, slot: word(2), before: word(8), after: word(0) },
      { address, slot: word(3), before: word(0), after: word(4) },
    ],
  });
});

test("another form is no answer, and too much of it is not read", () => {
  for (const result of [null, {}, { pre: {} }, { pre: {}, post: { [ADDRESS]: { storage: { a: "0x1" } } } }])
    expect(parseStorageChanges(result)).toBeUndefined();
  const storage = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [word(index), word(1)]));
  expect(parseStorageChanges({ pre: {}, post: { [ADDRESS]: { storage } } })).toMatchObject({
    status: "unanswered",
  });
});

test("events are read in lower case, and a list too long is not read", () => {
  const place = { transactionHash: word(2) };
  const log = { address: ADDRESS, topics: [word(1)], data: "0x", blockNumber: "0x1", ...place };
  expect(parseLogs([log])).toEqual({
    status: "value",
    value: [{ address: ADDRESS.toLowerCase(), topics: [word(1)], data: "0x", blockNumber: 1, ...place }],
  });
  expect(parseLogs([{ ...log, data: "0x1" }])).toBeUndefined();
  expect(parseLogs(Array.from({ length: 5001 }, () => log))).toMatchObject({ status: "absent" });
});
