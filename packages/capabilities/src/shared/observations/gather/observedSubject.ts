import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";
import { type KnownSlot, knownSlots } from "../../proxies/knownSlots.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import { nameSlots } from "../../reads/gather/nameSlots.js";
import type { AccountReadings, AccountRequest } from "../../reads/gather/readAccounts.js";
import { addressInWord, isZeroWord } from "../../words/addressInWord.js";
import type { ObservedReadings } from "../observedReadings.js";

/** What an observation reads of an address itself: its code, who may replace that code, and whether it is paused. */
export type ObservedSubject = Pick<ObservedReadings, "code" | "slots" | "paused" | "masterCopy">;

const SELECTORS = {
  paused: "0x5c975abb",
  /** Safe proxies answer this themselves. */
  masterCopy: "0xa619486e",
  /** Of a beacon (ERC-1967). */
  implementation: "0x5c60da1b",
} as const;

const slotNames = [
  "eip1967Implementation",
  "eip1967Admin",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
  "zeppelinosAdmin",
  "diamondFacets",
  "safeSingleton",
  "openZeppelinPausable",
] as const satisfies readonly KnownSlot[];

const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

export const requestSubject = (address: Hex): AccountRequest => ({
  address,
  slots: slotNames.map((name) => knownSlots[name]),
});

/** Calls to make beside the account's read. `describeSubject` takes their answers in this order. */
export const subjectCalls = (address: Hex) =>
  [call(address, SELECTORS.paused), call(address, SELECTORS.masterCopy)] as const;

export function describeSubject(
  account: AccountReadings | undefined,
  paused: Reading<Hex> | undefined,
  masterCopy: Reading<Hex> | undefined,
): ObservedSubject {
  return {
    code: fingerprintReading(account?.code),
    slots: nameSlots(slotNames, account?.slots ?? []),
    paused: cutAnswer(paused, WORD_ANSWER_BYTES),
    masterCopy: cutAnswer(masterCopy, WORD_ANSWER_BYTES),
  };
}

/** What the beacon answers the proxy at `address`; null when no beacon is set, or when there is no code to obey one. */
export async function readBeaconOf(
  { chain, block }: GatherContext,
  address: Hex,
  { code, slots }: ObservedSubject,
): Promise<Reading<Hex> | null> {
  const isEmpty = code.status === "value" && code.value.form === "empty";
  const slot = slots.eip1967Beacon;
  if (isEmpty || slot.status !== "value" || isZeroWord(slot.value)) return null;
  const asked = { ...call(addressInWord(slot.value), SELECTORS.implementation), from: address };
  const [answer] = await chain.readAt(block, [asked]);
  return cutAnswer(answer, WORD_ANSWER_BYTES);
}
