import type { KnownParty } from "../../shared/parties/knownParty.js";
import { noDelegation } from "../../shared/proxies/delegationReading.js";
import type { SubjectReadings } from "../../shared/proxies/subjectReadings.js";
import { ADDRESS, program } from "../../shared/proxies/testing/sampleReadings.js";
import type { ContractGuardReadings } from "../readings.js";

type Executed = Pick<ContractGuardReadings, "program" | "delegation" | "behind" | "known">;

export const unknown: Executed["known"] = {
  registryVersion: "2026-11-17",
  party: null,
  standing: null,
  accounts: { own: null, target: null, behind: null },
};

export const party = (changes: Partial<KnownParty> = {}): KnownParty => ({
  address: ADDRESS,
  name: "Sample token",
  protocol: "Sample",
  role: "token",
  code: [],
  implementations: [],
  keepsTransfers: true,
  source: "https://example.org",
  ...changes,
});

/** Readings of a contract whose code delegates nowhere, unless `changes` says otherwise. */
export const guardReadings = (
  subject: SubjectReadings,
  changes: Partial<Executed> = {},
): ContractGuardReadings => ({
  ...subject,
  program: program(),
  delegation: noDelegation,
  behind: null,
  known: unknown,
  ...changes,
});
