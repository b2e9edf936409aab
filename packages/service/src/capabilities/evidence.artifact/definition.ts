import { getCapabilitySpec } from "@assay/protocol";
import { type EvidenceArtifactReadings, evaluateEvidenceArtifact } from "@assay/rules";
import type { Capability } from "../types.js";
import { gatherEvidenceArtifact } from "./gather.js";

export const evidenceArtifact: Capability<"evidence.artifact", EvidenceArtifactReadings> = {
  spec: { ...getCapabilitySpec("evidence.artifact"), id: "evidence.artifact" },
  gather: gatherEvidenceArtifact,
  evaluate: evaluateEvidenceArtifact,
  listFacts: () => [],
  watchedBy: null,
  longLivedPart: null,
};
