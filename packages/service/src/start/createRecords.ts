import type { Records } from "@assay/capabilities";
import type { Settings } from "../base/settings.js";
import { listChallenges } from "../claims/challengeRecords.js";
import { findCallRecord } from "../evidence/callRecords.js";
import { getEvidenceSource } from "../evidence/evidenceReferences.js";
import { findInterfaceScan } from "../evidence/interfaceScans.js";
import { findEarlierObservations } from "../evidence/observations.js";
import { getObligation } from "../obligations/obligationRecord.js";
import type { Database } from "../store/database.js";

/**
 * What capabilities may read about earlier calls, claims and obligations. The public URL is taken from the settings at each
 * call, because it is known only once the service listens.
 */
export const createRecords = (database: Database, settings: Pick<Settings, "publicUrl">): Records => ({
  findEarlierObservations: (address, blockNumber) => findEarlierObservations(database, address, blockNumber),
  findSelectors: (codeHash) => findInterfaceScan(database, codeHash),
  getEvidenceSource: (artifactId) => getEvidenceSource(database, artifactId),
  getObligation: (obligationId) => getObligation(database, settings.publicUrl, obligationId),
  listChallenges: (claimId, limit) => listChallenges(database, claimId, limit),
  findCall: (invocationId) => findCallRecord(database, invocationId),
});
