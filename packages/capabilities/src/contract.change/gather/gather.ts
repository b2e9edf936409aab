import type { Hex } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import {
  describeSubject,
  type ObservedSubject,
  readBeaconOf,
  requestSubject,
  subjectCalls,
} from "../../shared/observations/gather/observedSubject.js";
import { observeContract } from "../../shared/observations/observeContract.js";
import { recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import type { ContractChangeInput } from "../input.js";
import type { ContractChangeReadings } from "../readings.js";

/**
 * What contract.change compares: the address now, and what the service observed there before. One batch of reads, and a
 * second one only to ask a beacon which implementation it names.
 */
async function gatherContractChange(
  context: GatherContext,
  { address }: ContractChangeInput,
): Promise<Gathered<ContractChangeReadings>> {
  const { records, block } = context;
  const [earlier, subject] = await Promise.all([
    records.findEarlierObservations(address, block.number),
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

export const gatherer: Gatherer<ContractChangeInput, ContractChangeReadings> = {
  gather: gatherContractChange,
};
