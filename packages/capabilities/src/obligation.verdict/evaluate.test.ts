import {
  absent,
  type CanonicalClaim,
  claimIdOf,
  claimReceiptText,
  type Hex,
  survivalHashOf,
  unanswered,
  valueReading,
} from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { fingerprintBytecode } from "../shared/code/fingerprintBytecode.js";
import { evaluateObligationVerdict } from "./evaluate.js";
import {
  type ObligationVerdictReadings,
  obligationVerdictReadingsSchema,
  type SubjectObservation,
} from "./readings.js";
import { type ObligationCode, obligationReasons } from "./reasons.js";

const address: Hex = `0x${"cc".repeat(20)}`;
const [a, b]: [Hex, Hex] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
const word = (value: string) => valueReading<Hex>(`0x${value.replace("0x", "").padStart(64, "0")}`);
const hashOf = (number: number) => `0x${number.toString(16).padStart(64, "0")}` as Hex;
const none = unanswered("no_answer");
const code = valueReading(fingerprintBytecode("0x6001"));

const observeAt = (
  number: number,
  change: Partial<SubjectObservation> = {},
  implementation = a,
): SubjectObservation => ({
  number,
  hash: valueReading(hashOf(number)),
  code,
  slots: {
    eip1967Implementation: word(implementation),
    eip1967Beacon: word("0"),
    eip1822Implementation: word("0"),
    zeppelinosImplementation: word("0"),
    safeSingleton: word("0"),
  },
  masterCopy: absent,
  beaconImplementation: null,
  ...change,
});

interface Case {
  readonly assertion?: Partial<CanonicalClaim["assertion"]>;
  readonly obligation?: Partial<ObligationVerdictReadings["obligation"]>;
  readonly readings?: Partial<ObligationVerdictReadings>;
}

/** An obligation about a proxy with an admin, open for another hour, that holds; with the given changes. */
function judge({ assertion = {}, obligation = {}, readings = {} }: Case = {}) {
  const claim: CanonicalClaim = {
    network: "eip155:8453",
    kind: "obligation",
    assertion: {
      type: "upgrade_window",
      address,
      implementation: a,
      fromBlock: 10,
      toBlock: 20,
      ...assertion,
    } as CanonicalClaim["assertion"],
    opener: b,
    rewardMicroUsd: "0",
    deadline: "2026-01-01T01:00:00.000Z",
    origin: "list:x",
  };
  const claimId = claimIdOf(claim);
  const receipt = { fromBlockHash: hashOf(10), toBlockHash: hashOf(20), implementationAtToBlock: a };
  const all = obligationVerdictReadingsSchema.parse({
    block: { number: 30, hash: hashOf(30), timestamp: 1 },
    observedAtMs: Date.parse("2026-01-01T00:30:00.000Z"),
    obligation: {
      claimId,
      claim,
      claimStatus: "open",
      openedAtMs: Date.parse("2026-01-01T00:00:00.000Z"),
      openedAtBlock: 20,
      survivalHash: survivalHashOf(claimReceiptText({ claimId, claim, ...receipt })),
      receipt,
      receiptUri: `http://service/api/v1/claims/${claimId}/receipt`,
      logIndex: 0,
      ...obligation,
    },
    challenges: [],
    challengesTotal: 0,
    atFrom: observeAt(10),
    atTo: observeAt(20),
    atChallenge: null,
    control: {
      eip1967Admin: word(b),
      zeppelinosAdmin: word("0"),
      ownFunctions: valueReading([]),
      implementationFunctions: valueReading([]),
      beaconFunctions: null,
    },
    events: { emitters: [address], found: [], coverage: valueReading("whole_window") },
    looks: [],
    ...readings,
  } satisfies ObligationVerdictReadings);
  const evaluation = evaluateObligationVerdict({ obligationId: all.obligation.claimId }, all);
  return { ...evaluation, grade: evaluation.evidence?.decisionGrade as boolean };
}
const withEvents = (...found: [number, Hex][]) => ({
  emitters: [address],
  found: found.map(([block, names]) => ({ block, emitter: address, event: "Upgraded" as const, names })),
  coverage: valueReading("whole_window" as const),
});
const unreadSlots = { ...observeAt(0).slots, eip1967Implementation: none };
const control = {
  eip1967Admin: word("0"),
  zeppelinosAdmin: word("0"),
  ownFunctions: valueReading([]),
  implementationFunctions: valueReading([]),
  beaconFunctions: null,
};

/** On record as falsified at block 13, where the chain is now as given. */
const falsifiedAt = (atChallenge: SubjectObservation): Case => ({
  obligation: { claimStatus: "falsified" },
  readings: {
    atChallenge,
    challengesTotal: 1,
    challenges: [
      {
        challengeId: `chl_${"0".repeat(32)}`,
        wallet: b,
        evidence: { block: 13, implementation: b },
        resolution: "counterexample_valid",
        observed: { block: 13, blockHash: hashOf(13) },
        submittedAt: "2026-01-01T00:10:00.000Z",
        logIndex: 1,
      },
    ],
  },
});

const rows: [string, Case, string, ObligationCode[], boolean][] = [
  ["that holds and is open", {}, "allow", ["OBLIGATION_HOLDS", "OBLIGATION_OPEN"], true],
  [
    "that survived",
    { obligation: { claimStatus: "survived" } },
    "allow",
    ["OBLIGATION_HOLDS", "OBLIGATION_SURVIVED"],
    true,
  ],
  [
    "whose deadline passed, though nobody wrote it down",
    { readings: { observedAtMs: Date.parse("2026-01-01T01:00:00.000Z") } },
    "allow",
    ["OBLIGATION_HOLDS", "OBLIGATION_SURVIVED"],
    true,
  ],
  [
    "that was falsified, and is false there still",
    falsifiedAt(observeAt(13, {}, b)),
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_FALSIFIED"],
    true,
  ],
  [
    "that was falsified, and is not false there any more",
    falsifiedAt(observeAt(13)),
    "review",
    ["OBLIGATION_FALSIFICATION_UNCONFIRMED"],
    true,
  ],
  [
    "that was falsified at a block which was replaced by one where it holds",
    falsifiedAt(observeAt(13, { hash: valueReading(hashOf(99)) })),
    "review",
    ["OBLIGATION_BLOCKS_REPLACED", "OBLIGATION_FALSIFICATION_UNCONFIRMED"],
    true,
  ],
  [
    "that was falsified where nothing can be read now",
    falsifiedAt(observeAt(13, { slots: unreadSlots })),
    "block",
    ["OBLIGATION_UNREAD", "OBLIGATION_FALSIFIED"],
    true,
  ],
  [
    "whose event names the claimed code in a block that ends with other code",
    {
      readings: {
        events: withEvents([13, a], [15, a]),
        looks: [observeAt(12), observeAt(13, {}, b), observeAt(14, {}, b), observeAt(15)],
      },
    },
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "whose event names the claimed code, at a block that was not read",
    { readings: { events: withEvents([13, a]), looks: [observeAt(12)] } },
    "review",
    ["UPGRADE_EVENTS_UNREAD", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "that is false at the first block",
    { readings: { atFrom: observeAt(10, {}, b) } },
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "that is false at the last block",
    { readings: { atTo: observeAt(20, {}, b) } },
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "that is false where an event points",
    {
      readings: {
        events: withEvents([13, b], [15, a]),
        looks: [observeAt(12), observeAt(13, {}, b), observeAt(14, {}, b), observeAt(15)],
      },
    },
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "that survived and is false all the same",
    { obligation: { claimStatus: "survived" }, readings: { atTo: observeAt(20, {}, b) } },
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_SURVIVED"],
    true,
  ],
  [
    "that was upgraded and taken back within one block",
    { readings: { events: withEvents([13, b], [13, a]), looks: [observeAt(12), observeAt(13)] } },
    "allow",
    ["OBLIGATION_HOLDS", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "of which an event names code that the state does not confirm",
    { readings: { events: withEvents([13, b]), looks: [observeAt(12), observeAt(13)] } },
    "review",
    ["UPGRADE_EVENT_UNCONFIRMED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "with an event that was not followed",
    { readings: { events: withEvents([13, b]) } },
    "review",
    ["UPGRADE_EVENTS_UNREAD", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "whose events were not given",
    { readings: { events: { emitters: [address], found: [], coverage: none } } },
    "review",
    ["UPGRADE_EVENTS_UNREAD", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "that was not read at the last block",
    { readings: { atTo: observeAt(20, { slots: unreadSlots }) } },
    "review",
    ["OBLIGATION_UNREAD", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "whose first block nobody has",
    { readings: { atFrom: observeAt(10, { hash: none }) } },
    "review",
    ["OBLIGATION_UNREAD", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "behind a beacon that names no address",
    {
      readings: {
        atTo: observeAt(20, {
          slots: { ...observeAt(0).slots, eip1967Implementation: word("0"), eip1967Beacon: word(b) },
          beaconImplementation: { status: "reverted", data: null },
        }),
      },
    },
    "review",
    ["OBLIGATION_UNDETERMINED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "that nobody could have broken",
    { readings: { control } },
    "review",
    ["OBLIGATION_OPEN", "NO_UPGRADE_PATH"],
    false,
  ],
  [
    "of which it is not known whether anybody could have",
    { readings: { control: { ...control, implementationFunctions: none } } },
    "review",
    ["OBLIGATION_OPEN", "UPGRADE_PATH_UNREAD"],
    false,
  ],
  [
    "over one block",
    { assertion: { fromBlock: 20 }, obligation: { receipt: null, survivalHash: null } },
    "review",
    ["OBLIGATION_OPEN", "WINDOW_OF_ONE_BLOCK"],
    false,
  ],
  [
    "that was never open",
    { obligation: { claimStatus: "survived", openedAtMs: Date.parse("2026-01-01T01:00:00.000Z") } },
    "review",
    ["OBLIGATION_SURVIVED", "NEVER_OPEN_TO_CHALLENGE"],
    false,
  ],
  [
    "that nobody could have broken, and that is false",
    { readings: { control, atTo: observeAt(20, {}, b) } },
    "block",
    ["OBLIGATION_CONTRADICTED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "whose blocks were replaced",
    { readings: { atTo: observeAt(20, { hash: valueReading(hashOf(99)) }) } },
    "review",
    ["OBLIGATION_BLOCKS_REPLACED", "OBLIGATION_OPEN"],
    true,
  ],
  [
    "whose record is of another claim",
    { obligation: { survivalHash: hashOf(1) } },
    "review",
    ["OBLIGATION_RECORD_MISMATCH", "OBLIGATION_OPEN"],
    true,
  ],
];

test.each(rows)("an obligation %s", (_, given, verdict, codes, grade) => {
  const judged = judge(given);
  expect([judged.verdict, judged.reasonCodes, judged.grade]).toEqual([verdict, codes, grade]);
});

test("every code has been met by a row above", () => {
  const met = new Set(rows.flatMap(([, , , codes]) => codes));
  expect([...met].sort()).toEqual(Object.keys(obligationReasons).sort());
});

describe("what is asserted about code", () => {
  const bytecode = (change: object = {}): Case => ({
    assertion: {
      type: "bytecode",
      bytecodeHash: code.status === "value" ? code.value.codeHash : null,
      bytecodeBytes: 2,
      implementation: undefined,
      ...change,
    } as never,
    obligation: { receipt: null, survivalHash: null, receiptUri: null },
    readings: { atFrom: null, control: null, events: null },
  });

  test("is judged at the last block, has no receipt, and is no ground for a decision", () => {
    const judged = judge(bytecode());
    expect([judged.verdict, judged.grade]).toEqual(["review", false]);
    expect(judged.evidence).toMatchObject({
      receiptUri: null,
      decisionGradeReasons: ["WINDOW_OF_ONE_BLOCK"],
    });
    expect(judged.limitations.join(" ")).toContain("There is no receipt");
    expect(judge(bytecode({ bytecodeBytes: 3 }))).toMatchObject({ verdict: "block", grade: true });
  });
});

test("a counterexample is shown as a challenge would state it", () => {
  const { findings } = judge({ readings: { atTo: observeAt(20, {}, b) } });
  expect(findings.counterexamples).toMatchObject([
    { block: 20, blockHash: hashOf(20), observed: { implementation: b } },
  ]);
});

test("what is needed to reach the verdict alone is in the evidence", () => {
  const { evidence } = judge({ readings: { events: withEvents([13, b]), looks: [observeAt(13, {}, b)] } });
  expect(evidence).toMatchObject({
    receiptUri: expect.stringContaining("/receipt"),
    recompute: {
      claim: { assertion: { address, implementation: a } },
      blocks: [10, 20, 13],
      logs: { address: [address], fromBlock: 10, toBlock: 20 },
    },
  });
});
