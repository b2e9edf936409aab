import { absent, type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { fingerprintBytecode } from "../shared/code/fingerprintBytecode.js";
import { observeContract } from "../shared/observations/observeContract.js";
import type { ObservedFields, RecordedObservation } from "../shared/observations/observedReadings.js";
import { noDelegation } from "../shared/proxies/delegationReading.js";
import {
  ADDRESS,
  cloneOf,
  codeReading,
  OTHER,
  PLAIN_CODE,
  program,
  refusal,
  silence,
  TARGET,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateContractChange } from "./evaluate.js";
import { type ContractChangeReadings, contractChangeReadingsSchema } from "./readings.js";
import { contractChangeReasons } from "./reasons.js";

type Changes = Partial<Omit<ContractChangeReadings, "slots">> & {
  slots?: Partial<ContractChangeReadings["slots"]>;
};

const zero = wordReading(0n);
const set = wordReading(TARGET);
const hashOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const idOf = (digit: string) => `sha256:${digit.repeat(64)}`;
const BLOCK = { number: 20, hash: hashOf("b"), timestamp: 1_700_000_000 };

function readingsOf({ slots, ...changes }: Changes = {}): ContractChangeReadings {
  return {
    block: BLOCK,
    code: codeReading(PLAIN_CODE),
    paused: refusal,
    masterCopy: refusal,
    beaconImplementation: null,
    program: program(),
    delegation: noDelegation,
    inner: null,
    facets: absent,
    previous: null,
    baseline: null,
    ...changes,
    slots: {
      eip1967Implementation: zero,
      eip1967Admin: zero,
      eip1967Beacon: zero,
      eip1822Implementation: zero,
      zeppelinosImplementation: zero,
      zeppelinosAdmin: zero,
      diamondFacets: zero,
      safeSingleton: zero,
      openZeppelinPausable: zero,
      ...slots,
    },
  };
}

const PLAIN: ObservedFields = {
  codeHash: valueReading(fingerprintBytecode(PLAIN_CODE).codeHash),
  implementation: absent,
  admin: absent,
  beacon: absent,
  paused: absent,
  delegates: absent,
  facets: absent,
};
const recordOf = (fields: Partial<ObservedFields> = {}, blockNumber = 10): RecordedObservation => ({
  blockNumber,
  blockHash: hashOf("a"),
  artifactId: idOf("1"),
  fields: { ...PLAIN, ...fields },
});

function judge(changes: Changes) {
  const readings = readingsOf(changes);
  // What a stranger gets is JSON.
  expect(contractChangeReadingsSchema.parse(JSON.parse(JSON.stringify(readings)))).toEqual(readings);
  return evaluateContractChange({ address: ADDRESS }, readings);
}
const since = (before: Partial<ObservedFields>, now: Changes = {}) =>
  judge({ previous: recordOf(before), ...now });

test("the first observation is a baseline and no verdict on change", () => {
  const { findings, ...evaluation } = judge({});
  expect(evaluation).toMatchObject({ verdict: "review", reasonCodes: ["BASELINE_CREATED"] });
  expect(findings).toEqual({
    changed: null,
    isBaseline: true,
    beforeBlock: null,
    afterBlock: 20,
    beforeArtifactId: null,
    fields: {
      codeHash: { before: null, after: fingerprintBytecode(PLAIN_CODE).codeHash, changed: null },
      implementation: { before: null, after: null, changed: null },
      delegates: { before: null, after: null, changed: null },
      facets: { before: null, after: null, changed: null },
      admin: { before: null, after: null, changed: null },
      beacon: { before: null, after: null, changed: null },
      paused: { before: null, after: null, changed: null },
    },
    unread: [],
    sinceBaseline: null,
  });
  expect(evaluation.limitations.join()).toMatch(/becomes the baseline when its payment settles/);
});

test("nothing changed and everything read is the one thing that is allowed", () => {
  const { verdict, reasonCodes: codes, findings, limitations, summary } = since({});
  expect([verdict, codes]).toEqual(["allow", ["UNCHANGED"]]);
  expect(findings).toMatchObject({ changed: false, isBaseline: false, beforeBlock: 10, afterBlock: 20 });
  expect(summary).toContain("block 10 to 20");
  expect(limitations.join()).toContain(`artifact id ${idOf("1")}`);
  const allowed = Object.entries(contractChangeReasons).filter(([, one]) => one.verdict === "allow");
  expect(allowed.map(([code]) => code)).toEqual(["UNCHANGED"]);
});

const other = valueReading(OTHER);
const target = valueReading(TARGET);
type Row = [
  name: string,
  before: Partial<ObservedFields>,
  now: Changes,
  verdict: string,
  codes: string[],
  changed: boolean | null,
];

describe("changes", () => {
  test.each<Row>([
    ["other code", { codeHash: valueReading(hashOf("c")) }, {}, "review", ["CODE_CHANGED"], true],
    ["code where none was", { codeHash: absent }, {}, "review", ["CODE_CHANGED"], true],
    ["code gone", {}, { code: codeReading("0x") }, "review", ["CODE_CHANGED", "NO_CODE"], true],
    [
      "an upgrade",
      { implementation: other },
      { slots: { eip1967Implementation: set } },
      "review",
      ["IMPLEMENTATION_CHANGED"],
      true,
    ],
    [
      "a proxy slot set for the first time",
      {},
      { slots: { zeppelinosImplementation: set } },
      "review",
      ["IMPLEMENTATION_CHANGED"],
      true,
    ],
    [
      "a redirected clone",
      { implementation: other },
      { code: codeReading(cloneOf(TARGET)) },
      "review",
      ["CODE_CHANGED", "IMPLEMENTATION_CHANGED"],
      true,
    ],
    ["an admin", { admin: other }, { slots: { eip1967Admin: set } }, "review", ["ADMIN_CHANGED"], true],
    ["an admin gone", { admin: other }, {}, "review", ["ADMIN_CHANGED"], true],
    [
      "another beacon naming the same code",
      { beacon: other, implementation: target },
      { slots: { eip1967Beacon: set }, beaconImplementation: set },
      "review",
      ["BEACON_CHANGED"],
      true,
    ],
    [
      "a beacon naming other code",
      { beacon: target, implementation: other },
      { slots: { eip1967Beacon: set }, beaconImplementation: set },
      "review",
      ["IMPLEMENTATION_CHANGED"],
      true,
    ],
    ["a pause", { paused: valueReading(false) }, { paused: wordReading(1n) }, "block", ["NOW_PAUSED"], true],
    [
      "a first pause",
      {},
      { slots: { openZeppelinPausable: wordReading(1n) } },
      "block",
      ["NOW_PAUSED"],
      true,
    ],
    ["an unpause", { paused: valueReading(true) }, { paused: zero }, "review", ["UNPAUSED"], true],
    ["a new switch", {}, { paused: zero }, "review", ["PAUSE_SWITCH_CHANGED"], true],
    ["a switch gone", { paused: valueReading(true) }, {}, "review", ["PAUSE_SWITCH_CHANGED"], true],
    [
      "still paused",
      { paused: valueReading(true) },
      { paused: wordReading(1n) },
      "block",
      ["UNCHANGED", "CONTRACT_PAUSED"],
      false,
    ],
  ])("%s", (_, before, now, verdict, codes, changed) => {
    const evaluation = since(before, now);
    expect(evaluation).toMatchObject({ verdict, reasonCodes: codes, findings: { changed } });
  });

  test("each field states before and after", () => {
    const { findings } = since(
      { implementation: other, admin: other },
      { slots: { eip1967Implementation: set, eip1967Admin: wordReading(OTHER) } },
    );
    expect(findings.fields).toMatchObject({
      implementation: { before: OTHER, after: TARGET, changed: true },
      admin: { before: OTHER, after: OTHER, changed: false },
      beacon: { before: null, after: null, changed: false },
    });
  });

  test("a paused contract blocks at its first observation", () => {
    expect(judge({ paused: wordReading(1n) })).toMatchObject({
      verdict: "block",
      reasonCodes: ["BASELINE_CREATED", "CONTRACT_PAUSED"],
    });
  });
});

describe("the baseline", () => {
  test("what differs from it is reported, also when the last observation shows no change", () => {
    const { verdict, findings, reasonCodes } = since(
      { implementation: target },
      {
        slots: { eip1967Implementation: set },
        baseline: { ...recordOf({ implementation: other, admin: silence }, 3), artifactId: idOf("2") },
      },
    );
    expect([verdict, findings.changed]).toEqual(["review", false]);
    expect(reasonCodes).toContain("DIFFERS_FROM_BASELINE");
    expect(findings.sinceBaseline).toEqual({
      block: 3,
      artifactId: idOf("2"),
      changedFields: ["implementation"],
      notCompared: ["admin"],
    });
  });
});

describe("what was not read", () => {
  const unreadSlot = (name: keyof ContractChangeReadings["slots"]): Changes => ({
    slots: { [name]: silence },
  });
  test.each<[name: string, now: Changes, unread: string[]]>([
    ["code", { code: silence }, ["codeHash", "implementation", "delegates"]],
    ["implementation slot", unreadSlot("eip1967Implementation"), ["implementation"]],
    ["admin slot", unreadSlot("eip1967Admin"), ["admin"]],
    ["legacy admin slot", unreadSlot("zeppelinosAdmin"), ["admin"]],
    ["beacon slot", unreadSlot("eip1967Beacon"), ["implementation", "beacon"]],
    ["EIP-1822 slot", unreadSlot("eip1822Implementation"), ["implementation"]],
    ["legacy implementation slot", unreadSlot("zeppelinosImplementation"), ["implementation"]],
    ["first slot", unreadSlot("safeSingleton"), ["implementation"]],
    ["pause slot", unreadSlot("openZeppelinPausable"), ["paused"]],
    ["paused()", { paused: silence }, ["paused"]],
    ["paused() that is no boolean", { paused: wordReading(2n) }, ["paused"]],
    ["paused() with an error of its own", { paused: { status: "reverted", data: "0xdeadbeef" } }, ["paused"]],
  ])("%s leaves no allow", (_, now, unread) => {
    const evaluation = since({}, now);
    expect(evaluation).toMatchObject({ verdict: "review", findings: { changed: null, unread } });
    expect(evaluation.reasonCodes).toContain("FIELD_UNREAD");
    expect(evaluation.reasonCodes).not.toContain("UNCHANGED");
    expect(evaluation.limitations).toContain(`Not read at this block: ${unread.join(", ")}.`);
  });

  test.each<[string, Reading<Hex>]>([
    ["is silent", silence],
    ["refuses", refusal],
    ["returns nothing", absent],
    ["returns no address", wordReading(2n ** 200n)],
    ["returns half a word", valueReading("0x1234")],
  ])("a beacon that %s leaves the implementation unread", (_, beaconImplementation) => {
    const now = { slots: { eip1967Beacon: set }, beaconImplementation };
    expect(since({ beacon: target, implementation: other }, now)).toMatchObject({
      verdict: "review",
      reasonCodes: ["FIELD_UNREAD"],
      findings: { changed: null, unread: ["implementation"] },
    });
  });

  test("a slot that did not decide is still missed", () => {
    const now = { slots: { eip1967Implementation: set, diamondFacets: silence } };
    const evaluation = since({ implementation: target }, now);
    expect(evaluation).toMatchObject({ verdict: "review", reasonCodes: ["UNCHANGED", "SLOT_UNREAD"] });
  });

  test.each(Object.keys(PLAIN) as (keyof ObservedFields)[])(
    "%s in the earlier observation leaves no allow",
    (name) => {
      const evaluation = since({ [name]: unanswered("timeout") });
      expect(evaluation).toMatchObject({
        verdict: "review",
        reasonCodes: ["EARLIER_FIELD_UNREAD"],
        findings: { changed: null, fields: { [name]: { changed: null } } },
      });
    },
  );

  test("one change is a change, whatever else was not read", () => {
    const evaluation = since({ codeHash: valueReading(hashOf("c")), admin: silence });
    expect(evaluation.findings.changed).toBe(true);
    expect(evaluation.reasonCodes).toEqual(["CODE_CHANGED", "EARLIER_FIELD_UNREAD"]);
  });

  test("paused now, unread before: blocked, and not called new", () => {
    const evaluation = since({ paused: silence }, { paused: wordReading(1n) });
    expect(evaluation).toMatchObject({ verdict: "block", findings: { changed: null } });
    expect(evaluation.reasonCodes).toEqual(["CONTRACT_PAUSED", "EARLIER_FIELD_UNREAD"]);
  });
});

describe("contracts whose behaviour is elsewhere", () => {
  const observed = (now: Changes) => since(observeContract(readingsOf(now)), now);
  test.each<[string, Changes, string]>([
    ["no code", { code: codeReading("0x") }, "NO_CODE"],
    ["a native token", { code: codeReading("0xef") }, "NATIVE_TOKEN_CODE"],
    ["a diamond", { slots: { diamondFacets: wordReading(3n) } }, "PROXY_DIAMOND"],
    [
      "slots that contradict each other",
      { slots: { eip1967Implementation: set, zeppelinosImplementation: wordReading(OTHER) } },
      "CONFLICTING_PROXY_SLOTS",
    ],
    [
      "a beacon beside an implementation",
      { slots: { eip1967Implementation: set, eip1967Beacon: set }, beaconImplementation: set },
      "CONFLICTING_PROXY_SLOTS",
    ],
  ])("%s is a review although nothing changed", (_, now, code) => {
    expect(observed(now)).toMatchObject({
      verdict: "review",
      reasonCodes: ["UNCHANGED", code],
      findings: { changed: false },
    });
  });

  test("two slots that agree are no conflict", () => {
    const now = { slots: { eip1967Implementation: set, eip1822Implementation: set } };
    expect(observed(now)).toMatchObject({ verdict: "allow", reasonCodes: ["UNCHANGED"] });
  });
});

test("a legacy proxy's admin is the one in its own slots", () => {
  const slots = { eip1967Admin: set, zeppelinosAdmin: wordReading(OTHER), zeppelinosImplementation: set };
  expect(observeContract(readingsOf({ slots })).admin).toEqual(other);
  expect(observeContract(readingsOf({ slots: { ...slots, zeppelinosImplementation: zero } })).admin).toEqual(
    target,
  );
});
