import type { CapabilityInput, Hex, Reading } from "@assay/protocol";
import {
  addressInWord,
  type ContractChangeReadings,
  isZeroWord,
  type KnownSlot,
  knownSlots,
  observeContract,
} from "@assay/rules";
import type { CallRead } from "../../chain/types.js";
import { findEarlierObservations } from "../../evidence/observations.js";
import { cutAnswer } from "../cutAnswer.js";
import { fingerprintReading, recordFingerprint } from "../fingerprintReading.js";
import { nameSlots } from "../nameSlots.js";
import { readAccounts } from "../readAccounts.js";
import type { GatherContext, Gathered } from "../types.js";

type Subject = Pick<ContractChangeReadings, "code" | "slots" | "paused" | "masterCopy">;

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

/** A flag or an address is one word; a second one is kept to show that there was more. */
const MAX_ANSWER_BYTES = 64;

/**
 * What contract.change compares: the address now, in one batch, and a second one only to ask a beacon what it
 * names; and what the service saw there before.
 */
export async function gatherContractChange(
  context: GatherContext,
  { address }: CapabilityInput<"contract.change">,
): Promise<Gathered<ContractChangeReadings>> {
  const { database, block } = context;
  const [earlier, subject] = await Promise.all([
    findEarlierObservations(database, address, block.number),
    readSubject(context, address),
  ]);
  const observable = { ...subject, beaconImplementation: await readBeacon(context, subject) };
  const fingerprint = recordFingerprint(context, address, subject.code);
  const { number, hash, timestamp } = block;
  return {
    readings: { block: { number, hash, timestamp }, ...observable, ...earlier },
    observation: { address, fields: observeContract(observable) },
    ...(fingerprint && { fingerprint }),
  };
}

async function readSubject(context: GatherContext, address: Hex): Promise<Subject> {
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: slotNames.map((name) => knownSlots[name]) }],
    [call(address, SELECTORS.paused), call(address, SELECTORS.masterCopy)],
  );
  const [account] = accounts;
  const [paused, masterCopy] = others;
  return {
    code: fingerprintReading(account?.code),
    slots: nameSlots(slotNames, account?.slots ?? []),
    paused: cutAnswer(paused, MAX_ANSWER_BYTES),
    masterCopy: cutAnswer(masterCopy, MAX_ANSWER_BYTES),
  };
}

/** Null when no beacon is set, or nothing runs that could obey it. */
async function readBeacon(
  { chain, block }: GatherContext,
  { code, slots }: Subject,
): Promise<Reading<Hex> | null> {
  const isEmpty = code.status === "value" && code.value.form === "empty";
  const slot = slots.eip1967Beacon;
  if (isEmpty || slot.status !== "value" || isZeroWord(slot.value)) return null;
  const [answer] = await chain.readAt(block, [call(addressInWord(slot.value), SELECTORS.implementation)]);
  return cutAnswer(answer, MAX_ANSWER_BYTES);
}

const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });
