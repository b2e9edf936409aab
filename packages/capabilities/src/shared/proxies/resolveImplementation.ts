import type { Hex, Reading } from "@assay/protocol";
import type { CodeFingerprint } from "../code/fingerprintBytecode.js";
import { addressInWord, isAddressWord, isZeroWord } from "../words/addressInWord.js";

const implementationKinds = [
  "eip1967",
  "beacon",
  "eip1822",
  "zeppelinos",
  "safe",
  "eip1167_clone",
  "eip7702_delegation",
] as const;
export type ImplementationKind = (typeof implementationKinds)[number];

/** The slots that name an implementation, one word each. */
export interface ImplementationSlots {
  readonly eip1967Implementation: Reading<Hex>;
  readonly eip1967Beacon: Reading<Hex>;
  readonly eip1822Implementation: Reading<Hex>;
  readonly zeppelinosImplementation: Reading<Hex>;
  readonly safeSingleton: Reading<Hex>;
}

export interface ImplementationReadings {
  readonly code: Reading<CodeFingerprint>;
  readonly slots: ImplementationSlots;
  /** Answer of `masterCopy()`, which a Safe proxy gives from its first slot. */
  readonly masterCopy: Reading<Hex>;
  /** What the beacon in the beacon slot named; null when no beacon was asked. */
  readonly beaconImplementation: Reading<Hex> | null;
}

export type ImplementationResolution =
  | { readonly status: "none" }
  | { readonly status: "resolved"; readonly kind: ImplementationKind; readonly implementation: Hex }
  /** Something earlier in the order, or the beacon itself, gave no usable answer. */
  | { readonly status: "unread"; readonly kind: ImplementationKind | null; readonly missing: string };

/**
 * The one address whose code runs behind this one. First match wins:
 *
 * 1. ERC-1967 implementation slot
 * 2. ERC-1967 beacon slot, then the beacon's `implementation()`
 * 3. EIP-1822 slot
 * 4. ZeppelinOS slot
 * 5. Safe singleton: the first slot, confirmed by `masterCopy()`
 * 6. the target of an EIP-1167 clone
 * 7. the delegate of an EIP-7702 account
 *
 * Slots come before fixed targets because a clone or delegate may run proxy code over its own
 * storage: then the slot names the code that finally runs, and it is the part that can change.
 * A diamond (ERC-2535) has many implementations and resolves to none. An address without code
 * runs nothing, even when slots are set.
 */
export function resolveImplementation(readings: ImplementationReadings): ImplementationResolution {
  const { code, slots } = readings;
  if (code.status === "absent" || (code.status === "value" && code.value.form === "empty")) {
    return { status: "none" };
  }
  for (const [kind, slot] of [
    ["eip1967", "eip1967Implementation"],
    ["beacon", "eip1967Beacon"],
    ["eip1822", "eip1822Implementation"],
    ["zeppelinos", "zeppelinosImplementation"],
  ] as const) {
    const word = slots[slot];
    if (word.status !== "value") return { status: "unread", kind: null, missing: slot };
    if (isZeroWord(word.value)) continue;
    if (kind === "beacon") return resolveBeacon(readings.beaconImplementation);
    return { status: "resolved", kind, implementation: addressInWord(word.value) };
  }
  const singleton = findSafeSingleton(slots.safeSingleton, readings.masterCopy);
  if (singleton.status === "unread") return singleton;
  if (singleton.status === "resolved") return singleton;
  if (code.status !== "value") return { status: "unread", kind: null, missing: "code" };
  const { form, target } = code.value;
  if (target === null || (form !== "eip1167_clone" && form !== "eip7702_delegation")) {
    return { status: "none" };
  }
  return { status: "resolved", kind: form, implementation: target };
}

/** Reason of a reading that was given up because the beacon names something else to others than to its proxy. */
export const BEACON_ANSWERS_BY_CALLER = "beacon_answers_by_caller";

function resolveBeacon(answer: Reading<Hex> | null): ImplementationResolution {
  if (answer?.status === "value") {
    return { status: "resolved", kind: "beacon", implementation: answer.value };
  }
  return { status: "unread", kind: "beacon", missing: "the beacon's implementation()" };
}

/** Any contract may use its first slot, so only one whose `masterCopy()` repeats it is a Safe. */
export function findSafeSingleton(slot: Reading<Hex>, masterCopy: Reading<Hex>): ImplementationResolution {
  if (slot.status !== "value") return { status: "unread", kind: null, missing: "safeSingleton" };
  if (isZeroWord(slot.value) || !isAddressWord(slot.value)) return { status: "none" };
  if (masterCopy.status === "unanswered") {
    return { status: "unread", kind: null, missing: "masterCopy()" };
  }
  if (masterCopy.status !== "value" || masterCopy.value.toLowerCase() !== slot.value) {
    return { status: "none" };
  }
  return { status: "resolved", kind: "safe", implementation: addressInWord(slot.value) };
}
