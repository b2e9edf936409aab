import { type Hex, mapReading } from "@assay/protocol";
import type { CodeFingerprint } from "../code/fingerprintBytecode.js";
import type { Note } from "../verdict/note.js";
import { isZeroWord } from "../words/addressInWord.js";
import { decodeAddressArray } from "../words/decodeAddressArray.js";
import { knownSlots } from "./knownSlots.js";
import { noteBeaconAnswer } from "./noteBeaconAnswer.js";
import { findAddress, findWord, noteProxySlots } from "./noteProxySlots.js";
import {
  findSafeSingleton,
  type ImplementationKind,
  type ImplementationResolution,
  resolveImplementation,
} from "./resolveImplementation.js";
import type { FollowedReadings, SubjectReadings } from "./subjectReadings.js";

export type ProxyCode =
  | "NO_PROXY_SLOT"
  | "SLOT_UNREAD"
  | "PROXY_PROBE_UNREAD"
  | "PROXY_EIP1967"
  | "PROXY_UUPS"
  | "PROXY_BEACON"
  | "PROXY_EIP1822"
  | "PROXY_ZEPPELINOS"
  | "PROXY_DIAMOND"
  | "PROXY_SAFE"
  | "PROXY_ADMIN_SET"
  | "PROXY_SLOT_MALFORMED"
  | "CONFLICTING_PROXY_SLOTS"
  | "IMPLEMENTATION_UNREAD"
  | "IMPLEMENTATION_HAS_NO_CODE"
  | "BEACON_UNREADABLE"
  | "BEACON_ANSWERS_BY_CALLER"
  | "TARGET_IS_PROXY"
  | "FOLLOW_BOUND_REACHED";

type Notes = Note<ProxyCode>[];
type Slots = SubjectReadings["slots"];

/** `eip897` answers `implementation()` or `proxyType()` itself; `custom` is any other layout. */
export type ProxyKind = ImplementationKind | "diamond" | "eip897" | "custom" | "unknown";

export interface ProxyFindings {
  readonly kind: ProxyKind;
  readonly implementation: Hex | null;
  readonly admin: Hex | null;
  readonly beacon: Hex | null;
  readonly facets: readonly Hex[];
}

export interface ProxyJudgement {
  readonly notes: Notes;
  readonly proxy: ProxyFindings | null;
  readonly implementationCode: CodeFingerprint | null;
}

/** Which proxy this is, who may change it, and whether the code it points at can run. */
export function judgeProxy(readings: SubjectReadings): ProxyJudgement {
  const resolution = resolveImplementation({
    ...readings,
    beaconImplementation:
      readings.beaconImplementation &&
      mapReading(readings.beaconImplementation, ({ implementation }) => implementation),
  });
  const facets = listFacets(readings);
  const notes = [
    ...noteProxySlots(
      readings.slots,
      Object.keys(readings.slots) as (keyof Slots)[],
      "which one the code obeys was not decided",
    ),
    ...noteProbes(readings, facets),
    ...noteImplementation(readings, resolution),
  ];
  // Anything that was noticed or not read rules out "no proxy slot".
  if (notes.length === 0) notes.push({ code: "NO_PROXY_SLOT" });
  return {
    notes,
    proxy: describeProxy(readings, resolution, facets),
    implementationCode: findImplementationCode(readings, resolution),
  };
}

/** What slots cannot show: any contract may use a Safe's first slot, and facets may be stored elsewhere. */
function noteProbes(readings: SubjectReadings, facets: readonly Hex[]): Notes {
  const notes: Notes = [];
  const unanswered = (["masterCopy", "facetAddresses"] as const).filter(
    (name) => readings[name].status === "unanswered",
  );
  if (unanswered.length > 0) {
    const names = unanswered.map((name) => `${name}()`).join(" and ");
    notes.push({ code: "PROXY_PROBE_UNREAD", limitation: `${names} not read: no node answered.` });
  }
  if (findSafeSingleton(readings.slots.safeSingleton, readings.masterCopy).status === "resolved") {
    notes.push({ code: "PROXY_SAFE" });
  }
  if (facets.length > 0 || findWord(readings.slots, "diamondFacets") !== null) {
    notes.push({ code: "PROXY_DIAMOND", limitation: "The code of a diamond's facets was not read." });
  }
  return notes;
}

function listFacets({ facetAddresses }: SubjectReadings): readonly Hex[] {
  return facetAddresses.status === "value" ? (decodeAddressArray(facetAddresses.value) ?? []) : [];
}

function noteImplementation(readings: SubjectReadings, resolution: ImplementationResolution): Notes {
  const notes: Notes = [];
  const fixed = readings.code.status === "value" ? readings.code.value.target : null;
  if (resolution.status === "unread" && resolution.kind === "beacon") {
    notes.push(noteBeaconAnswer(readings.beaconImplementation));
  }
  if (resolution.status === "resolved") {
    if (resolution.kind === "beacon") notes.push(...noteBeacon(readings));
    else notes.push(...noteTarget(readings, resolution.implementation, resolution.kind));
  }
  // A clone or delegate may run proxy code over its own slots: then both addresses matter.
  if (fixed !== null && !(resolution.status === "resolved" && resolution.implementation === fixed)) {
    notes.push(...noteTarget(readings, fixed, "eip1167_clone"));
  }
  return notes;
}

/** Whether the code at an address that this one runs can run, and whether it is itself a proxy. */
export function noteTarget(
  readings: SubjectReadings,
  address: Hex,
  kind: ImplementationKind | "custom",
): Notes {
  const target = readings.followed.find((entry) => entry.address === address);
  if (target === undefined) return [unread(`the code at ${address}`)];
  const notes: Notes = [];
  const slots = Object.values(target.slots);
  if (isCodeUnread(target) || slots.some(isUnread) || target.proxiableUuid.status === "unanswered") {
    notes.push(unread(`all of the code and slots at ${address}`));
  }
  if (target.code.status === "value" || target.code.status === "absent") {
    const form = target.code.status === "value" ? target.code.value.form : "empty";
    // An account delegated to nothing (EIP-7702) still works as a plain account.
    if (form === "empty" && readings.code.status === "value" && !isDelegation(readings.code.value)) {
      notes.push({ code: "IMPLEMENTATION_HAS_NO_CODE" });
    }
    if (delegates(form) || hasSetSlot(target)) notes.push({ code: "TARGET_IS_PROXY" }, bound(address));
  }
  if (kind === "eip1967" && isUups(target)) notes.push({ code: "PROXY_UUPS" });
  return notes;
}

function noteBeacon(readings: SubjectReadings): Notes {
  const notes: Notes = [];
  const beacon = findAddress(readings.slots, "eip1967Beacon");
  const entry = readings.followed.find(({ address }) => address === beacon);
  if (entry === undefined || isCodeUnread(entry) || Object.values(entry.slots).some(isUnread)) {
    notes.push(unread("the beacon's own code and slots"));
  } else if (hasSetSlot(entry) || (entry.code.status === "value" && delegates(entry.code.value.form))) {
    notes.push(bound(entry.address));
  }
  if (readings.beaconImplementation?.status !== "value") return notes;
  const { implementation, code } = readings.beaconImplementation.value;
  if (code.form === "empty") notes.push({ code: "IMPLEMENTATION_HAS_NO_CODE" });
  if (delegates(code.form)) notes.push({ code: "TARGET_IS_PROXY" }, bound(implementation));
  return notes;
}

const unread = (what: string): Note<ProxyCode> => ({
  code: "IMPLEMENTATION_UNREAD",
  limitation: `Not read: ${what}.`,
});
const bound = (address: Hex): Note<ProxyCode> => ({
  code: "FOLLOW_BOUND_REACHED",
  limitation: `${address} is itself a proxy; what runs behind it was not followed.`,
});
const isUnread = (reading: { readonly status: string }): boolean => reading.status !== "value";
const isCodeUnread = ({ code }: FollowedReadings): boolean =>
  code.status !== "value" && code.status !== "absent";
const isDelegation = (code: CodeFingerprint): boolean => code.form === "eip7702_delegation";
const delegates = (form: CodeFingerprint["form"]): boolean =>
  form === "eip1167_clone" || form === "eip7702_delegation";
const hasSetSlot = (entry: FollowedReadings): boolean =>
  Object.values(entry.slots).some((slot) => slot.status === "value" && !isZeroWord(slot.value));
const isUups = ({ proxiableUuid }: FollowedReadings): boolean =>
  proxiableUuid.status === "value" && proxiableUuid.value === knownSlots.eip1967Implementation;

function findImplementationCode(
  readings: SubjectReadings,
  resolution: ImplementationResolution,
): CodeFingerprint | null {
  if (resolution.status !== "resolved") return null;
  if (resolution.kind === "beacon") {
    return readings.beaconImplementation?.status === "value"
      ? readings.beaconImplementation.value.code
      : null;
  }
  const code = readings.followed.find(({ address }) => address === resolution.implementation)?.code;
  return code?.status === "value" ? code.value : null;
}

function describeProxy(
  { slots }: SubjectReadings,
  resolution: ImplementationResolution,
  facets: readonly Hex[],
): ProxyFindings | null {
  const isDiamond = facets.length > 0 || findWord(slots, "diamondFacets") !== null;
  const admins = [findAddress(slots, "eip1967Admin"), findAddress(slots, "zeppelinosAdmin")];
  if (resolution.status === "resolved" && resolution.kind === "zeppelinos") admins.reverse();
  if (isDiamond) admins.push(findAddress(slots, "diamondOwner"));
  const admin = admins.find((address) => address !== null) ?? null;
  const found = resolution.status === "none" ? null : resolution.kind;
  if (found === null && !isDiamond && admin === null) return null;
  return {
    kind: found ?? (isDiamond ? "diamond" : "unknown"),
    implementation: resolution.status === "resolved" ? resolution.implementation : null,
    admin,
    beacon: findAddress(slots, "eip1967Beacon"),
    facets,
  };
}
