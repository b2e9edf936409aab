import type { Records } from "@assay/capabilities";
import { listChallenges } from "../claims/challengeRecords.js";
import { findCallRecord } from "../evidence/callRecords.js";
import { getEvidenceSource } from "../evidence/evidenceReferences.js";
import { findInterfaceScan } from "../evidence/interfaceScans.js";
import { findEarlierObservations } from "../evidence/observations.js";
import { getObligation } from "../obligations/obligationRecord.js";
import type { Database } from "../store/database.js";

/** What capabilities may know of earlier calls, claims and obligations. */
export const createRecords = (database: Database, publicUrl: string): Records => ({
  findEarlierObservations: (address, blockNumber) => findEarlierObservations(database, address, blockNumber),
  findSelectors: (codeHash) => findInterfaceScan(database, codeHash),
  getEvidenceSource: (artifactId) => getEvidenceSource(database, artifactId),
  getObligation: (obligationId) => getObligation(database, publicUrl, obligationId),
  listChallenges: (claimId, limit) => listChallenges(database, claimId, limit),
  findCall: (invocationId) => findCallRecord(database, invocationId),
});
