import { absent, type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { knownSlots } from "../proxies/knownSlots.js";
import {
  findBeaconRead,
  listImplementationReads,
  needsMasterCopy,
  resolveAtBlock,
} from "./resolveAtBlock.js";

const subject: Hex = `0x${"cc".repeat(20)}`;
const target: Hex = `0x${"aa".repeat(20)}`;
const beacon: Hex = `0x${"be".repeat(20)}`;
const word = (address: Hex) => valueReading<Hex>(`0x${address.slice(2).padStart(64, "0")}`);
const none = unanswered("timeout");

/** Answers to every read, empty except for the given ones; a slot by its name. */
function answer(given: Partial<Record<string, Reading<Hex>>> = {}): Reading<Hex>[] {
  return listImplementationReads(subject).map((read) => {
    if (read.kind === "code") return given.code ?? valueReading<Hex>("0x6001");
    if (read.kind === "call") return given.masterCopy ?? { status: "reverted", data: null };
    const name = Object.entries(knownSlots).find(([, slot]) => slot === read.slot)?.[0] ?? "";
    return given[name] ?? word("0x00");
  });
}
const resolved = (implementation: Hex | null) => ({ status: "resolved", implementation });

describe("the resolved implementation at a block", () => {
  test.each(["eip1967Implementation", "eip1822Implementation", "zeppelinosImplementation"])(
    "is in %s",
    (slot) => {
      const answers = answer({ [slot]: word(target) });
      expect(findBeaconRead(subject, answers)).toBeUndefined();
      expect(resolveAtBlock(answers, null)).toEqual(resolved(target));
    },
  );

  test("is what the beacon names", () => {
    const answers = answer({ eip1967Beacon: word(beacon), eip1822Implementation: word(subject) });
    expect(findBeaconRead(subject, answers)).toMatchObject({
      kind: "call",
      from: subject,
      to: beacon,
      data: "0x5c60da1b",
    });
    expect(resolveAtBlock(answers, word(target))).toEqual(resolved(target));
  });

  test("is a Safe's singleton and a clone's target", () => {
    const safe = answer({ safeSingleton: word(target), masterCopy: word(target) });
    expect(resolveAtBlock(safe, null)).toEqual(resolved(target));
    const clone: Hex = `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`;
    expect(resolveAtBlock(answer({ code: valueReading(clone) }), null)).toEqual(resolved(target));
  });

  test("is none without slots, and none without code even when slots are set", () => {
    expect(resolveAtBlock(answer(), null)).toEqual(resolved(null));
    for (const code of [absent, valueReading<Hex>("0x")])
      expect(resolveAtBlock(answer({ code, eip1967Implementation: word(target) }), null)).toEqual(
        resolved(null),
      );
  });
});

test("masterCopy() is needed exactly where its answer can change the resolution", () => {
  const words = [word("0x00"), word(target), none];
  const beacons = [word("0x00"), word(beacon), none];
  for (const eip1967Implementation of words)
    for (const eip1967Beacon of beacons)
      for (const zeppelinosImplementation of words)
        for (const safeSingleton of [...words, valueReading<Hex>(`0x${"ff".repeat(32)}`)]) {
          const given = { eip1967Implementation, eip1967Beacon, zeppelinosImplementation, safeSingleton };
          const resolve = (masterCopy: Reading<Hex>) =>
            JSON.stringify(resolveAtBlock(answer({ ...given, masterCopy }), word(target)));
          const isDecided = new Set([word(target), word(subject), absent, none].map(resolve)).size === 1;
          // A word that is no address is asked about in vain, and decides nothing.
          const isAddress = safeSingleton.status !== "value" || !safeSingleton.value.startsWith("0xff");
          if (isAddress) expect(needsMasterCopy(answer(given))).toBe(!isDecided);
          else expect(isDecided).toBe(true);
        }
});

describe("is not known", () => {
  test.each(["code", "eip1967Implementation", "eip1967Beacon", "zeppelinosImplementation"])(
    "where no node answered about %s",
    (what) => {
      const answers = answer({ safeSingleton: word(target), masterCopy: word(target), [what]: none });
      expect(resolveAtBlock(answers, null)).toEqual({ status: "unanswered", missing: what });
    },
  );

  test("where the code was not read, though a slot is set", () => {
    const answers = answer({ code: none, eip1967Implementation: word(target) });
    expect(resolveAtBlock(answers, null)).toEqual({ status: "unanswered", missing: "code" });
  });

  test("where the beacon was not asked or did not answer; where it gave no address it stays open", () => {
    const answers = answer({ eip1967Beacon: word(beacon) });
    for (const reading of [null, none])
      expect(resolveAtBlock(answers, reading)).toMatchObject({ status: "unanswered" });
    const nothing: Reading<Hex>[] = [absent, { status: "reverted", data: null }, valueReading("0x01")];
    for (const reading of [...nothing, valueReading<Hex>(`0x${"ff".repeat(32)}`)])
      expect(resolveAtBlock(answers, reading)).toMatchObject({ status: "undetermined" });
  });
});
