import type { Reading } from "@assay/protocol";
import { judgePause, type PauseCode } from "../control/judgePause.js";
import { observeContract } from "../observations/observeContract.js";
import type { Note } from "../verdict/note.js";
import type { IntentCase } from "./intentCase.js";

export type TargetCode =
  | PauseCode
  | "KNOWN_PARTY_CHANGED"
  | "KNOWN_PARTY"
  | "PAUSED_BUT_EXECUTES"
  | "CODE_UNREAD"
  | "SLOT_UNREAD"
  | "PROXY_PROBE_UNREAD"
  | "NATIVE_TOKEN_CODE"
  | "DELEGATED_ACCOUNT"
  | "CALLDATA_TO_NO_CODE"
  | "NO_EARLIER_OBSERVATION"
  | "UNCHANGED"
  | "CODE_CHANGED"
  | "IMPLEMENTATION_CHANGED"
  | "ADMIN_CHANGED"
  | "BEACON_CHANGED"
  | "FIELD_UNREAD"
  | "EARLIER_FIELD_UNREAD";

type Notes = Note<TargetCode>[];

export interface TargetFindings {
  readonly form: string | null;
  readonly codeHash: string | null;
  readonly implementation: string | null;
  readonly admin: string | null;
  readonly beacon: string | null;
  readonly paused: boolean | null;
  readonly comparedWith: { readonly blockNumber: number; readonly artifactId: string } | null;
}

interface TargetJudgement {
  readonly notes: Notes;
  readonly target: TargetFindings;
}

/** Judges the target: whether it has code, whether it is paused, and whether it changed since the last observation. */
export function judgeTarget(one: IntentCase): TargetJudgement {
  const { target, previous } = one.readings;
  const code = target.code.status === "value" ? target.code.value : null;
  const isEmpty = code?.form === "empty";
  const pause = isEmpty ? null : judgePause(target);
  const fields = observeContract(target);
  return {
    notes: [
      ...noteStanding(one),
      ...noteCode(one),
      ...(isEmpty ? [] : noteSlots(one)),
      ...(pause ? notePause(one, pause.notes) : []),
      ...(isEmpty && previous === null ? [] : noteChanges(one, fields)),
    ],
    target: {
      form: code?.form ?? null,
      codeHash: isEmpty ? null : (code?.codeHash ?? null),
      implementation: readValue(fields.implementation),
      admin: readValue(fields.admin),
      beacon: readValue(fields.beacon),
      paused: pause?.paused ?? null,
      comparedWith: previous && { blockNumber: previous.blockNumber, artifactId: previous.artifactId },
    },
  };
}

/** Whether the target is a published contract, and still has its code. */
function noteStanding(one: IntentCase): Notes {
  const { kind } = one.viewParty(one.input.to);
  if (kind === "changed") return [{ code: "KNOWN_PARTY_CHANGED" }];
  return kind === "known" ? [{ code: "KNOWN_PARTY" }] : [];
}

/** A pause that does not stop this transaction, for example the revocation of an allowance, is no reason to block it. */
function notePause({ readings: { call } }: IntentCase, notes: readonly Note<PauseCode>[]): Notes {
  const runs = call.status === "value" || call.status === "absent";
  // What a contract answers that has no pause does not matter for a transaction that runs.
  return notes
    .filter(({ code }) => !(runs && code === "PAUSE_UNREADABLE"))
    .map((note) =>
      note.code === "CONTRACT_PAUSED" && runs ? { ...note, code: "PAUSED_BUT_EXECUTES" } : note,
    );
}

const readValue = <T>(reading: Reading<T>): T | null => (reading.status === "value" ? reading.value : null);

function noteCode({ readings, hasData, input }: IntentCase): Notes {
  const { code } = readings.target;
  if (code.status !== "value")
    return [{ code: "CODE_UNREAD", limitation: "The code of the target was not read: no node answered." }];
  switch (code.value.form) {
    case "empty":
      return hasData ? [{ code: "CALLDATA_TO_NO_CODE" }] : [];
    case "native_b20": {
      const limitation = "A native token's rules and pause features are in the node, outside this check.";
      return [{ code: "NATIVE_TOKEN_CODE", limitation }];
    }
    case "eip7702_delegation": {
      const isPublished = readings.parties.some(
        ({ address, account }) => address === input.to && account !== null,
      );
      return hasData && !isPublished ? [{ code: "DELEGATED_ACCOUNT" }] : [];
    }
    default:
      return [];
  }
}

function noteSlots({ readings: { target } }: IntentCase): Notes {
  const notes: Notes = [];
  const slots = Object.entries(target.slots).flatMap(([name, slot]) =>
    slot.status === "value" ? [] : [name],
  );
  if (slots.length > 0)
    notes.push({ code: "SLOT_UNREAD", limitation: `Storage slots not read: ${slots.join(", ")}.` });
  if (target.masterCopy.status === "unanswered" || target.beaconImplementation?.status === "unanswered") {
    const limitation = "masterCopy() or a beacon's implementation() was not read: no node answered.";
    notes.push({ code: "PROXY_PROBE_UNREAD", limitation });
  }
  return notes;
}

const CHANGES = {
  codeHash: "CODE_CHANGED",
  implementation: "IMPLEMENTATION_CHANGED",
  admin: "ADMIN_CHANGED",
  beacon: "BEACON_CHANGED",
} as const;
const compared = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
const isRead = ({ status }: Reading<unknown>) => status === "value" || status === "absent";

function noteChanges({ readings }: IntentCase, now: ReturnType<typeof observeContract>): Notes {
  const { previous } = readings;
  if (previous === null) {
    const limitation =
      "The service has no earlier observation of the target, so whether its code, implementation or admin changed lately is not known.";
    return [{ code: "NO_EARLIER_OBSERVATION", limitation }];
  }
  const notes: Notes = [];
  for (const name of compared) {
    const before = previous.fields[name];
    if (!isRead(now[name])) notes.push({ code: "FIELD_UNREAD", limitation: `Not read now: ${name}.` });
    else if (!isRead(before))
      notes.push({ code: "EARLIER_FIELD_UNREAD", limitation: `Not read at the earlier block: ${name}.` });
    else if (readValue<string>(before) !== readValue<string>(now[name])) notes.push({ code: CHANGES[name] });
  }
  return notes.length === 0 ? [{ code: "UNCHANGED" }] : notes;
}
