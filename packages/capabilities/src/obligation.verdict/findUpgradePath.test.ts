import { absent, type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import { fingerprintBytecode } from "../shared/code/fingerprintBytecode.js";
import { findUpgradePath } from "./findUpgradePath.js";
import { listUpgradeFunctions } from "./listUpgradeFunctions.js";
import type { SubjectObservation } from "./readings.js";
import { listSuspectBlocks, readUpgradeEvent, upgradeTopics } from "./upgradeEvents.js";

const target: Hex = `0x${"aa".repeat(20)}`;
const word = (value = "") => valueReading<Hex>(`0x${value.replace("0x", "").padStart(64, "0")}`);
const none = unanswered("no_answer");
type Slots = SubjectObservation["slots"];

const observation = (
  slots: Partial<Slots>,
  change: Partial<SubjectObservation> = {},
): SubjectObservation => ({
  number: 1,
  hash: word("1"),
  code: valueReading(fingerprintBytecode("0x6001")),
  slots: {
    eip1967Implementation: word(),
    eip1967Beacon: word(),
    eip1822Implementation: word(),
    zeppelinosImplementation: word(),
    safeSingleton: word(),
    ...slots,
  },
  masterCopy: absent,
  beaconImplementation: null,
  ...change,
});
const control = {
  eip1967Admin: word(),
  zeppelinosAdmin: word(),
  ownFunctions: valueReading([]),
  implementationFunctions: null,
  beaconFunctions: null,
};
const upgradeTo = valueReading(["upgradeTo(address)" as const]);
const proxy = observation({ eip1967Implementation: word(target) });
const beacon = observation({ eip1967Beacon: word(target) }, { beaconImplementation: word(target) });
const fixed = (code: Hex) => observation({}, { code: valueReading(fingerprintBytecode(code)) });

test.each<[string, SubjectObservation, Partial<Parameters<typeof findUpgradePath>[1]>, string]>([
  ["an admin", proxy, { eip1967Admin: word(target) }, "found"],
  ["an admin in the older slot", proxy, { zeppelinosAdmin: word(target) }, "found"],
  ["an upgrade function of its own", proxy, { ownFunctions: upgradeTo }, "found"],
  ["one in its implementation", proxy, { implementationFunctions: upgradeTo }, "found"],
  [
    "a slot that is set and nobody who may change it",
    proxy,
    { implementationFunctions: valueReading([]) },
    "none",
  ],
  ["code of the implementation that was not read", proxy, { implementationFunctions: none }, "unread"],
  ["an admin that was not read", proxy, { eip1967Admin: none }, "unread"],
  ["a beacon that can be upgraded", beacon, { beaconFunctions: upgradeTo }, "found"],
  ["a beacon that cannot", beacon, { beaconFunctions: valueReading([]) }, "none"],
  ["a beacon that was not read", beacon, { beaconFunctions: none }, "unread"],
  ["a Safe", observation({ safeSingleton: word(target) }, { masterCopy: word(target) }), {}, "found"],
  ["an EIP-7702 delegation", fixed(`0xef0100${target.slice(2)}`), {}, "found"],
  [
    "an EIP-1167 clone",
    fixed(`0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`),
    {},
    "none",
  ],
  ["ordinary code", observation({}), {}, "none"],
  ["no code", observation({ eip1967Implementation: word(target) }, { code: absent }), {}, "none"],
  ["code that was not read", observation({}, { code: none }), {}, "unread"],
  ["a slot that was not read", observation({ eip1822Implementation: none }), {}, "unread"],
])("%s: the upgrade path is %s", (_, subject, change, state) => {
  expect(findUpgradePath(subject, { ...control, ...change }).state).toBe(state);
});

test("functions are found where a program compares with them, not in data that it pushes", () => {
  const selector = "3659cfe6";
  expect(listUpgradeFunctions(`0x6000356300000000146300000000575b63${selector}14`)).toEqual([
    "upgradeTo(address)",
  ]);
  // The same bytes inside a longer push are no comparison.
  expect(listUpgradeFunctions(`0x6863${selector}00000000`)).toEqual([]);
  expect(listUpgradeFunctions(`0x63${selector.slice(2)}`)).toEqual([]);
  expect(listUpgradeFunctions("0x")).toEqual([]);
});

test("a log is read by its event, with or without the address among its topics", () => {
  const at = { address: target, blockNumber: 7 };
  const upgraded = { block: 7, emitter: target, event: "Upgraded", names: target };
  const topic = (word() as Extract<Reading<Hex>, { status: "value" }>).value;
  const named = `0x${target.slice(2).padStart(64, "0")}` as Hex;
  expect(readUpgradeEvent({ ...at, topics: [upgradeTopics.Upgraded, named], data: "0x" })).toEqual(upgraded);
  expect(readUpgradeEvent({ ...at, topics: [upgradeTopics.Upgraded], data: named })).toEqual(upgraded);
  const admins = `0x${"0".repeat(64)}${named.slice(2)}` as Hex;
  expect(readUpgradeEvent({ ...at, topics: [upgradeTopics.AdminChanged], data: admins })).toMatchObject({
    names: target,
  });
  expect(readUpgradeEvent({ ...at, topics: [topic], data: "0x" })).toBeUndefined();
});

test("suspect are the block of every event and the one before it, no matter what the event names", () => {
  const assertion = {
    type: "upgrade_window",
    address: target,
    implementation: target,
    fromBlock: 10,
    toBlock: 20,
  } as const;
  const other: Hex = `0x${"bb".repeat(20)}`;
  const event = (
    block: number,
    names: Hex,
    kind: "Upgraded" | "BeaconUpgraded" | "AdminChanged" = "Upgraded",
  ) => ({
    block,
    emitter: target,
    event: kind,
    names,
  });
  const events = [event(10, target), event(12, other), event(15, target), event(17, other, "BeaconUpgraded")];
  expect(listSuspectBlocks(assertion, events)).toEqual([11, 12, 14, 15, 16, 17]);
  // The ends are read in any case.
  expect(
    listSuspectBlocks(assertion, [event(10, other), event(20, other), event(13, other, "AdminChanged")]),
  ).toEqual([12, 13, 19]);
});
