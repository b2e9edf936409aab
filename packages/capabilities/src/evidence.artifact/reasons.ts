import { defineReasons } from "../shared/verdict/reasons.js";

/** A refreshed answer has the verdict and the reasons of the new computation; those reasons are defined by its source. */
export const evidenceArtifactReasons = defineReasons({
  allow: {
    ARTIFACT_LIVE: "The artifact is inside its declared window.",
    ARTIFACT_REFRESHED: "The artifact had expired and was computed again.",
  },
  review: {
    ARTIFACT_EXPIRED: "The artifact has expired, and there is no new answer in its place.",
  },
});

export type EvidenceArtifactCode = keyof typeof evidenceArtifactReasons;
