import type { Hex } from "@assay/protocol";
import type { CodeFingerprint } from "../code/fingerprintBytecode.js";
import { isScannable } from "../code/isScannable.js";
import type { ProgramReading } from "../machine/programReading.js";
import type { Note } from "../verdict/note.js";
import type { DelegationReading } from "./delegationReading.js";
import {
  noteTarget,
  type ProxyCode,
  type ProxyFindings,
  type ProxyJudgement,
  type ProxyKind,
} from "./judgeProxy.js";
import type { SubjectReadings } from "./subjectReadings.js";

export type DelegationCode =
  | "FIXED_PROXY"
  | "PROXY_STORED"
  | "PROXY_NAMED"
  | "DELEGATES_BY_FUNCTION"
  | "DELEGATES_PARTLY"
  | "DELEGATION_UNRESOLVED"
  | "DELEGATION_UNREAD"
  | "PROXY_SLOT_UNUSED";

/** What running the code showed, beside what slots and answers say. */
export interface ExecutedReadings {
  /** Of the address's own code; null where it is no program. */
  readonly program: ProgramReading | null;
  readonly delegation: DelegationReading;
  /** What runs behind it; null where nothing does, or where its code was not read. */
  readonly behind: {
    readonly address: Hex;
    readonly program: ProgramReading | null;
    /** Where a fixed target passes calls on by itself, over the storage of this address. */
    readonly delegation: DelegationReading | null;
  } | null;
}

type Notes = Note<ProxyCode | DelegationCode>[];

export interface DelegationJudgement {
  readonly notes: Notes;
  readonly proxy: ProxyFindings | null;
  readonly implementationCode: CodeFingerprint | null;
}

/**
 * Completes the judgement of slots by what the code does when it runs: layouts without a standard, and slots that are set
 * but not used.
 */
export function judgeDelegation(
  readings: SubjectReadings & ExecutedReadings,
  judged: ProxyJudgement,
): DelegationJudgement {
  const { delegation, behind, program, code } = readings;
  if (program === null && code.status === "value" && isScannable(code.value))
    return { ...judged, notes: [...judged.notes.filter(isNotNoProxySlot), tooLarge] };
  const inner = behind?.delegation ?? null;
  // A fixed target that passes calls on over this storage: what it names is what runs.
  const last = inner !== null && inner.outcome !== "none" ? inner : delegation;
  const found = judgeLast(readings, judged, last);
  const notes: Notes = [...judged.notes, ...found.notes];
  const hasFound = found.notes.length > 0;
  return {
    ...found,
    // Code that delegates is not reported as code without a proxy slot.
    notes: hasFound ? notes.filter(isNotNoProxySlot) : notes,
  };
}

const isNotNoProxySlot = ({ code }: Note<string>): boolean => code !== "NO_PROXY_SLOT";
const tooLarge: Note<DelegationCode> = {
  code: "DELEGATION_UNRESOLVED",
  limitation: "The code was not read whole, or is larger than what is followed.",
};

function judgeLast(
  readings: SubjectReadings & ExecutedReadings,
  judged: ProxyJudgement,
  delegation: DelegationReading,
): DelegationJudgement {
  const { outcome, origin, target } = delegation;
  const same = { proxy: judged.proxy, implementationCode: judged.implementationCode };
  if (outcome === "unread") return { ...same, notes: [unread] };
  if (outcome === "unresolved") return withDiamond(judged, [unresolved]);
  if (outcome === "none") return judgeParts(readings, judged);
  // A beacon in its slot is judged with the slots.
  if (target === null) return { ...same, notes: [] };
  if (judged.proxy?.implementation === target) return { ...same, notes: [] };
  if (origin === "code") {
    // Where slots are set as well, the fixed code obeys them, and both are judged already.
    if (judged.proxy !== null && judged.proxy.kind !== "unknown") return { ...same, notes: [] };
    return describeTarget(readings, judged, delegation, "eip1167_clone", [{ code: "FIXED_PROXY" }]);
  }
  if (origin !== "storage" && origin !== "call") return withDiamond(judged, [unresolved]);
  const kind = nameKind(readings, delegation);
  const notes: Notes = [{ code: origin === "storage" ? "PROXY_STORED" : "PROXY_NAMED" }];
  if (judged.proxy?.implementation) {
    const limitation = `The slots name ${judged.proxy.implementation}, but the code runs ${target}.`;
    notes.push({ code: "PROXY_SLOT_UNUSED", limitation });
  }
  return describeTarget(readings, judged, delegation, kind, notes);
}

const unread: Note<DelegationCode> = {
  code: "DELEGATION_UNREAD",
  limitation: "Which contract the code passes calls to was not read: no node answered.",
};
const unresolved: Note<DelegationCode> = {
  code: "DELEGATION_UNRESOLVED",
  limitation: "Running the code did not show which contract it passes calls to.",
};

const IMPLEMENTATION = "0x5c60da1b";

function nameKind({ program, behind }: ExecutedReadings, { origin, asked }: DelegationReading): ProxyKind {
  const getters = [
    ...(program?.getters ?? []),
    ...(behind?.delegation ? (behind.program?.getters ?? []) : []),
  ];
  if (getters.length > 0) return "eip897";
  return origin === "call" && asked?.data === IMPLEMENTATION ? "beacon" : "custom";
}

function describeTarget(
  readings: SubjectReadings,
  judged: ProxyJudgement,
  { target, origin, asked }: DelegationReading,
  kind: ProxyKind,
  notes: Notes,
): DelegationJudgement {
  if (target === null) return { ...judged, notes };
  const code = readings.followed.find(({ address }) => address === target)?.code;
  return {
    notes: [...notes, ...noteTarget(readings, target, "custom")],
    proxy: {
      admin: null,
      facets: [],
      ...judged.proxy,
      kind,
      implementation: target,
      beacon: judged.proxy?.beacon ?? (origin === "call" && kind === "beacon" ? (asked?.to ?? null) : null),
    },
    implementationCode: code?.status === "value" ? code.value : null,
  };
}

const isReplaceable = ({ origin }: ProgramReading["delegations"][number]): boolean =>
  origin === "storage" || origin === "call" || origin === "unknown";

/** An unknown call ends here, but calls of some functions may go elsewhere. */
function judgeParts({ program, behind }: ExecutedReadings, judged: ProxyJudgement): DelegationJudgement {
  const same = { proxy: judged.proxy, implementationCode: judged.implementationCode };
  // Slots that are set say already that the code can be replaced, and by whom.
  const isFixed = judged.proxy === null || judged.proxy.kind === "eip1167_clone";
  const running = judged.proxy === null ? program : (behind?.program ?? null);
  if (!isFixed || running === null) return { ...same, notes: [] };
  const replaceable = running.delegations.filter(isReplaceable);
  const passed = replaceable.filter(({ isFallback }) => isFallback);
  // One slot for every call, which refuses calls while it is empty.
  if (passed.some(({ slot }) => slot !== null)) return withDiamond(judged, [{ code: "PROXY_STORED" }]);
  if (passed.length > 0) return withDiamond(judged, [{ code: "DELEGATES_BY_FUNCTION" }]);
  if (replaceable.length > 0) return { ...same, notes: [{ code: "DELEGATES_PARTLY" }] };
  return { ...same, notes: running.hasUnseenDelegation ? [unresolved] : [] };
}

/** Code chosen per function is a diamond in all but its storage. */
function withDiamond(judged: ProxyJudgement, notes: Notes): DelegationJudgement {
  const { proxy, implementationCode } = judged;
  if (proxy !== null) return { proxy, implementationCode, notes: proxy.kind === "diamond" ? [] : notes };
  const kind = notes.some(({ code }) => code === "DELEGATES_BY_FUNCTION") ? "diamond" : "unknown";
  return {
    proxy: { kind, implementation: null, admin: null, beacon: null, facets: [] },
    implementationCode,
    notes,
  };
}
