import { AssayError, type FieldError, getCapabilitySpec, isMarketAddress } from "@assay/protocol";
import {
  evaluatePredictionEvidence,
  listPredictionEvidenceFacts,
  type PredictionEvidenceReadings,
} from "@assay/rules";
import { parsePageTarget, type TestHosts } from "../../web/parsePageTarget.js";
import type { Capability } from "../types.js";
import { gatherPredictionEvidence } from "./gather.js";

export const predictionEvidence: Capability<"prediction.evidence", PredictionEvidenceReadings> = {
  spec: { ...getCapabilitySpec("prediction.evidence"), id: "prediction.evidence" },
  checkInput({ market }, { webTestHosts }) {
    if (!isMarketAddress(market)) verifyPublicPage(market, webTestHosts);
    return [];
  },
  gather: gatherPredictionEvidence,
  evaluate: evaluatePredictionEvidence,
  listFacts: listPredictionEvidenceFacts,
  watchedBy: null,
  longLivedPart: "fingerprint",
};

/** Refuses as web.compile does, and names the field that the URL was given in here. */
function verifyPublicPage(url: string, testHosts: TestHosts): void {
  try {
    parsePageTarget(url, testHosts);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const fields = error.fields.map(({ rule }): FieldError => ({ field: "market", rule }));
    throw new AssayError(error.code, error.message, { fields });
  }
}
