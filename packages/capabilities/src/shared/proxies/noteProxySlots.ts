import type { Hex, Reading } from "@assay/protocol";
import type { Note } from "../verdict/note.js";
import { addressInWord, isAddressWord, isZeroWord } from "../words/addressInWord.js";
import type { KnownSlot } from "./knownSlots.js";

const IMPLEMENTATION_SLOTS = {
  eip1967Implementation: "PROXY_EIP1967",
  eip1967Beacon: "PROXY_BEACON",
  eip1822Implementation: "PROXY_EIP1822",
  zeppelinosImplementation: "PROXY_ZEPPELINOS",
} as const;
export const implementationSlots = Object.keys(IMPLEMENTATION_SLOTS) as (keyof typeof IMPLEMENTATION_SLOTS)[];
const adminSlots = ["eip1967Admin", "zeppelinosAdmin"] as const;

type ProxySlotCode =
  | (typeof IMPLEMENTATION_SLOTS)[keyof typeof IMPLEMENTATION_SLOTS]
  | "SLOT_UNREAD"
  | "PROXY_ADMIN_SET"
  | "PROXY_SLOT_MALFORMED"
  | "CONFLICTING_PROXY_SLOTS";
/** The slots that were asked for. */
type Slots = Readonly<Partial<Record<KnownSlot, Reading<Hex>>>>;

/** Null where the slot is not set, or was not read. */
export function findWord(slots: Slots, name: KnownSlot): Hex | null {
  const reading = slots[name];
  return reading?.status === "value" && !isZeroWord(reading.value) ? reading.value : null;
}
export function findAddress(slots: Slots, name: KnownSlot): Hex | null {
  const word = findWord(slots, name);
  return word && addressInWord(word);
}

/** Notes from a contract's proxy slots alone. `conflict` ends the sentence about slots that name different code. */
export function noteProxySlots(
  slots: Slots,
  asked: readonly KnownSlot[],
  conflict: string,
): Note<ProxySlotCode>[] {
  const notes: Note<ProxySlotCode>[] = [];
  const unread = asked.filter((name) => slots[name]?.status !== "value");
  if (unread.length > 0) {
    notes.push({ code: "SLOT_UNREAD", limitation: `Storage slots not read: ${unread.join(", ")}.` });
  }
  const set = implementationSlots.filter((name) => findWord(slots, name) !== null);
  for (const name of set) notes.push({ code: IMPLEMENTATION_SLOTS[name] });
  if (adminSlots.some((name) => findWord(slots, name) !== null)) notes.push({ code: "PROXY_ADMIN_SET" });
  for (const name of [...implementationSlots, ...adminSlots]) {
    const word = findWord(slots, name);
    if (word === null || isAddressWord(word)) continue;
    const limitation = `The ${name} slot holds more than an address; its low 20 bytes were taken.`;
    notes.push({ code: "PROXY_SLOT_MALFORMED", limitation });
  }
  // Two slots that agree (a proxy that keeps both standards in step) are no conflict. A beacon is
  // never the code itself, so beside any other slot it is one.
  const named = set.map((name) => (name === "eip1967Beacon" ? name : findAddress(slots, name)));
  if (new Set(named).size > 1) {
    const limitation = `Several proxy slots are set and differ (${set.join(", ")}); ${conflict}.`;
    notes.push({ code: "CONFLICTING_PROXY_SLOTS", limitation });
  }
  return notes;
}
