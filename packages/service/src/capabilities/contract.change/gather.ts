import type { CapabilityInput, Hex } from "@assay/protocol";
import { type ContractChangeReadings, observeContract } from "@assay/rules";
import { findEarlierObservations } from "../../evidence/observations.js";
import { recordFingerprint } from "../fingerprintReading.js";
import {
  describeSubject,
  type ObservedSubject,
  readBeaconOf,
  requestSubject,
  subjectCalls,
} from "../observedSubject.js";
import { readAccounts } from "../readAccounts.js";
import type { GatherContext, Gathered } from "../types.js";

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
  const observable = { ...subject, beaconImplementation: await readBeaconOf(context, address, subject) };
  const fingerprint = recordFingerprint(context, address, subject.code);
  const { number, hash, timestamp } = block;
  return {
    readings: { block: { number, hash, timestamp }, ...observable, ...earlier },
    observation: { address, fields: observeContract(observable) },
    ...(fingerprint && { fingerprint }),
  };
}

async function readSubject(context: GatherContext, address: Hex): Promise<ObservedSubject> {
  const { accounts, others } = await readAccounts(context, [requestSubject(address)], subjectCalls(address));
  return describeSubject(accounts[0], ...others);
}
