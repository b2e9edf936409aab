import { valueReading } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { type ImplementationReadings, resolveImplementation } from "./resolveImplementation.js";
import {
  cloneOf,
  codeReading,
  OTHER,
  plainReadings,
  silence,
  TARGET,
  word,
  wordReading,
} from "./testing/sampleReadings.js";

const set = wordReading(TARGET);
const resolve = (
  changes: Parameters<typeof plainReadings>[0],
  beacon: ImplementationReadings["beaconImplementation"] = null,
) => resolveImplementation({ ...plainReadings(changes), beaconImplementation: beacon });

test.each<[string, Parameters<typeof plainReadings>[0]]>([
  ["eip1967", { slots: { eip1967Implementation: set } }],
  ["eip1822", { slots: { eip1822Implementation: set } }],
  ["zeppelinos", { slots: { zeppelinosImplementation: set } }],
  ["safe", { slots: { safeSingleton: set }, masterCopy: valueReading(word(TARGET)) }],
  ["eip1167_clone", { code: codeReading(cloneOf(TARGET)) }],
  ["eip7702_delegation", { code: codeReading(`0xef0100${TARGET.slice(2)}`) }],
])("%s names the implementation", (kind, changes) => {
  expect(resolve(changes)).toEqual({ status: "resolved", kind, implementation: TARGET });
});

test("a beacon names the implementation through its answer", () => {
  expect(resolve({ slots: { eip1967Beacon: set } }, valueReading(OTHER))).toEqual({
    status: "resolved",
    kind: "beacon",
    implementation: OTHER,
  });
});

test("earlier standards in the order win", () => {
  const slots = {
    eip1967Implementation: wordReading(1n),
    eip1967Beacon: wordReading(2n),
    eip1822Implementation: wordReading(3n),
    zeppelinosImplementation: wordReading(4n),
    safeSingleton: wordReading(5n),
  };
  const zero = wordReading(0n);
  const masterCopy = valueReading(word(5n));
  const code = codeReading(cloneOf(TARGET));
  const kinds = Object.keys(slots).map((_, count) => {
    const cleared = Object.fromEntries(
      Object.keys(slots)
        .slice(0, count)
        .map((name) => [name, zero]),
    );
    const resolution = resolve({ code, masterCopy, slots: { ...slots, ...cleared } }, valueReading(OTHER));
    return resolution.status === "resolved" ? resolution.kind : resolution.status;
  });
  expect(kinds).toEqual(["eip1967", "beacon", "eip1822", "zeppelinos", "safe"]);
});

describe("what was not read", () => {
  test("before the answer leaves it unknown", () => {
    const slots = { eip1967Implementation: silence, zeppelinosImplementation: set };
    expect(resolve({ slots })).toEqual({ status: "unread", kind: null, missing: "eip1967Implementation" });
  });
  test("after the answer does not matter", () => {
    const slots = { eip1967Implementation: set, zeppelinosImplementation: silence };
    expect(resolve({ slots })).toMatchObject({ status: "resolved", kind: "eip1967" });
  });
  test.each([null, silence])("of a beacon leaves it unknown", (beacon) => {
    expect(resolve({ slots: { eip1967Beacon: set } }, beacon)).toMatchObject({
      status: "unread",
      kind: "beacon",
    });
  });
  test("of the code leaves clones unknown", () => {
    expect(resolve({ code: silence })).toEqual({ status: "unread", kind: null, missing: "code" });
  });
  test("of masterCopy() leaves a first slot that may be a Safe's unknown", () => {
    expect(resolve({ slots: { safeSingleton: set }, masterCopy: silence })).toMatchObject({
      missing: "masterCopy()",
    });
  });
});

test("a first slot that masterCopy() does not repeat is ordinary storage", () => {
  expect(resolve({ slots: { safeSingleton: set } })).toEqual({ status: "none" });
  expect(resolve({ slots: { safeSingleton: set }, masterCopy: valueReading(word(OTHER)) })).toEqual({
    status: "none",
  });
});

test("an address without code has no implementation, even when slots are set", () => {
  expect(resolve({ code: codeReading("0x"), slots: { eip1967Implementation: set } })).toEqual({
    status: "none",
  });
});
