import type { Reading } from "@assay/protocol";
import { isScannable } from "../shared/code/isScannable.js";
import type { ObservedFields, RecordedObservation } from "../shared/observations/observedReadings.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import { addressInWord, isZeroWord } from "../shared/words/addressInWord.js";
import type { ContractChangeInput } from "./input.js";
import { observeNow } from "./observeNow.js";
import type { ContractChangeReadings } from "./readings.js";
import { type ContractChangeCode, contractChangeReasons } from "./reasons.js";

const ALWAYS = [
  "Compares code, what it runs, facets, proxy admin, beacon and pause state at two blocks; what changed and changed back between them leaves no trace.",
  "Owners, roles and any other storage are not compared.",
  "True at the stated block; everything compared can change in any later one.",
  "The earlier observation is the newest on record and may be another caller's: a change before its block was reported to that caller. Compare beforeBlock with the block you last relied on.",
];

type FieldName = keyof ObservedFields;
/** A record of an earlier release has fewer fields. */
const unrecorded: Reading<never> = { status: "unanswered", reason: "not_recorded" };
const fieldOf = (fields: ObservedFields, name: FieldName): Reading<unknown> => fields[name] ?? unrecorded;
const fieldNames = [
  "codeHash",
  "implementation",
  "delegates",
  "facets",
  "admin",
  "beacon",
  "paused",
] as const satisfies FieldName[];

/** Null when one of the two was not read. */
type Comparison = Readonly<Record<FieldName, boolean | null>>;

/** Judges what changed at an address since the service last observed it. */
export function evaluateContractChange(input: ContractChangeInput, readings: ContractChangeReadings) {
  const { block, previous, baseline } = readings;
  const after = observeNow(readings);
  const compared = previous && compareFields(previous.fields, after);
  const changed = compared && summarizeChange(compared);
  const notes: Note<ContractChangeCode>[] = [
    ...(compared ? noteChanges(compared) : [baselineNote]),
    ...(changed === false && baseline ? noteBaseline(compareFields(baseline.fields, after)) : []),
    ...notePause(previous?.fields.paused ?? null, after.paused),
    ...noteUnread(previous?.fields ?? null, after, readings.slots),
    ...noteForm(readings),
    ...noteDelegation(readings),
  ];
  const range = previous ? `block ${previous.blockNumber} to ${block.number}` : `block ${block.number}`;
  return {
    verdict: worstVerdict(notes, contractChangeReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${input.address}, ${range}: ${decidingSentences(notes, contractChangeReasons)}`,
    findings: {
      changed,
      isBaseline: previous === null,
      beforeBlock: previous?.blockNumber ?? null,
      afterBlock: block.number,
      beforeArtifactId: previous?.artifactId ?? null,
      fields: describeFields(previous?.fields ?? null, after, compared),
      unread: fieldNames.filter((name) => !isRead(fieldOf(after, name))),
      sinceBaseline: baseline && describeBaseline(baseline, after),
    },
    limitations: unique([
      ...ALWAYS,
      ...(previous ? [earlierRecord(previous)] : []),
      ...notes.flatMap((note) => note.limitation ?? []),
    ]),
  } satisfies Evaluation;
}

const baselineNote: Note<"BASELINE_CREATED"> = {
  code: "BASELINE_CREATED",
  limitation:
    "No earlier observation of this address was on record, so nothing is known about changes; this one becomes the baseline when its payment settles, unless another call's settles first.",
};

/** A pause may end by itself and is noted elsewhere; code and control do not change by themselves. */
function noteBaseline({ paused: _isNoted, ...compared }: Comparison): Note<ContractChangeCode>[] {
  return Object.values(compared).includes(true) ? [{ code: "DIFFERS_FROM_BASELINE" }] : [];
}

const earlierRecord = ({ blockNumber, artifactId }: RecordedObservation): string =>
  `The observation at block ${blockNumber} is the service's own record, outside this block's proofs; the answer with artifact id ${artifactId} shows it.`;

const isRead = (reading: Reading<unknown>): boolean =>
  reading.status === "value" || reading.status === "absent";
const readValue = <T>(reading: Reading<T>): T | null => (reading.status === "value" ? reading.value : null);

function compareFields(before: ObservedFields, after: ObservedFields): Comparison {
  const compare = (name: FieldName): boolean | null => {
    const [was, is] = [fieldOf(before, name), fieldOf(after, name)];
    if (isRead(was) && isRead(is)) return readValue(was) !== readValue(is);
    return before[name] === undefined && is.status === "absent" && hasSameCode(before, after) ? false : null;
  };
  return Object.fromEntries(fieldNames.map((name) => [name, compare(name)])) as Comparison;
}

/** Code that runs nothing else today did not do so before. */
const hasSameCode = (before: ObservedFields, after: ObservedFields): boolean =>
  isRead(before.codeHash) && readValue(before.codeHash) === readValue(after.codeHash);

function summarizeChange(compared: Comparison): boolean | null {
  const all = Object.values(compared);
  if (all.includes(true)) return true;
  return all.includes(null) ? null : false;
}

const CHANGE_CODES = {
  codeHash: "CODE_CHANGED",
  implementation: "IMPLEMENTATION_CHANGED",
  delegates: "IMPLEMENTATION_CHANGED",
  facets: "FACETS_CHANGED",
  admin: "ADMIN_CHANGED",
  beacon: "BEACON_CHANGED",
} as const;

function noteChanges(compared: Comparison): Note<ContractChangeCode>[] {
  if (summarizeChange(compared) === false) return [{ code: "UNCHANGED" }];
  const names = Object.keys(CHANGE_CODES) as (keyof typeof CHANGE_CODES)[];
  return names.filter((name) => compared[name] === true).map((name) => ({ code: CHANGE_CODES[name] }));
}

function notePause(before: Reading<boolean> | null, after: Reading<boolean>): Note<ContractChangeCode>[] {
  const isComparable = before !== null && isRead(before);
  const [was, is] = [before && readValue(before), readValue(after)];
  if (is === true) return [{ code: isComparable && was !== true ? "NOW_PAUSED" : "CONTRACT_PAUSED" }];
  if (!isComparable || !isRead(after) || was === is) return [];
  return [{ code: was === true && is === false ? "UNPAUSED" : "PAUSE_SWITCH_CHANGED" }];
}

function noteUnread(
  before: ObservedFields | null,
  after: ObservedFields,
  slots: ContractChangeReadings["slots"],
): Note<ContractChangeCode>[] {
  const notes: Note<ContractChangeCode>[] = [];
  const missing = Object.entries(slots).flatMap(([name, { status }]) => (status === "value" ? [] : [name]));
  const now = fieldNames.filter((name) => !isRead(fieldOf(after, name)));
  const compared = before && compareFields(before, after);
  const earlier = before
    ? fieldNames.filter((name) => !isRead(fieldOf(before, name)) && compared?.[name] === null)
    : [];
  if (missing.length > 0)
    notes.push({ code: "SLOT_UNREAD", limitation: `Storage slots not read: ${missing.join(", ")}.` });
  if (now.length > 0)
    notes.push({ code: "FIELD_UNREAD", limitation: `Not read at this block: ${now.join(", ")}.` });
  if (earlier.length > 0) {
    const limitation = `Not read in the earlier observation, so not compared: ${earlier.join(", ")}.`;
    notes.push({ code: "EARLIER_FIELD_UNREAD", limitation });
  }
  return notes;
}

const implementationSlots = [
  "eip1967Implementation",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
] as const;

/** Forms of contract whose behaviour can change while every compared field stays as it was. */
function noteForm({ code, slots, facets }: ContractChangeReadings): Note<ContractChangeCode>[] {
  const notes: Note<ContractChangeCode>[] = [];
  const form = code.status === "value" ? code.value.form : code.status;
  if (form === "empty" || form === "absent") notes.push({ code: "NO_CODE" });
  if (form === "native_b20") {
    const limitation = "A native token's rules and pause features are in the node, outside this check.";
    notes.push({ code: "NATIVE_TOKEN_CODE", limitation });
  }
  const isSet = (name: keyof typeof slots): boolean => {
    const word = slots[name];
    return word.status === "value" && !isZeroWord(word.value);
  };
  if (isSet("diamondFacets") && facets.status !== "value")
    notes.push({ code: "PROXY_DIAMOND", limitation: "The facets of this diamond were not compared." });
  // A beacon is never the code itself, so beside any other slot it is a conflict.
  const set = implementationSlots.filter(isSet);
  const named = set.map((name) => {
    const word = slots[name];
    return name === "eip1967Beacon" || word.status !== "value" ? name : addressInWord(word.value);
  });
  if (new Set(named).size > 1) {
    const limitation = `Several proxy slots are set and differ (${set.join(", ")}); only what the first one names was compared.`;
    notes.push({ code: "CONFLICTING_PROXY_SLOTS", limitation });
  }
  return notes;
}

const isReplaceable = (origin: string): boolean =>
  origin === "storage" || origin === "call" || origin === "unknown";

/** Code that is chosen in a way that no field shows. */
function noteDelegation(readings: ContractChangeReadings): Note<ContractChangeCode>[] {
  const { code, program, delegation, inner, facets, slots } = readings;
  if (program === null) {
    const isProgram = code.status === "value" && isScannable(code.value);
    return isProgram
      ? [{ code: "DELEGATION_UNRESOLVED", limitation: "The code is larger than what is followed." }]
      : [];
  }
  if ([delegation, inner].some((found) => found?.outcome === "unresolved" || found?.outcome === "unread"))
    return [{ code: "DELEGATION_UNRESOLVED" }];
  const isPassedOn = delegation.outcome === "delegates";
  const hasSlot = implementationSlots.some((name) => {
    const word = slots[name];
    return word.status === "value" && !isZeroWord(word.value);
  });
  const unseen = program.delegations.filter(
    ({ origin, isFallback, slot }) => isReplaceable(origin) && (isFallback || slot === null),
  );
  if (isPassedOn || hasSlot) return [];
  if (program.hasUnseenDelegation) return [{ code: "DELEGATION_UNRESOLVED" }];
  if (unseen.length === 0) return [];
  if (unseen.some(({ isFallback }) => isFallback))
    return facets.status === "value" ? [] : [{ code: "DELEGATES_BY_FUNCTION" }];
  return [{ code: "DELEGATES_PARTLY" }];
}

function describeFields(before: ObservedFields | null, after: ObservedFields, compared: Comparison | null) {
  return Object.fromEntries(
    fieldNames.map((name) => [
      name,
      {
        before: before && readValue(fieldOf(before, name)),
        after: readValue(fieldOf(after, name)),
        changed: compared?.[name] ?? null,
      },
    ]),
  );
}

function describeBaseline({ blockNumber, artifactId, fields }: RecordedObservation, after: ObservedFields) {
  const compared = compareFields(fields, after);
  return {
    block: blockNumber,
    artifactId,
    changedFields: fieldNames.filter((name) => compared[name] === true),
    notCompared: fieldNames.filter((name) => compared[name] === null),
  };
}
