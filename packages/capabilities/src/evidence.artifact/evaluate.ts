import type { Verdict } from "@assay/protocol";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { unique } from "../shared/verdict/note.js";
import type { EvidenceArtifactInput } from "./input.js";
import { type EvidenceArtifactReadings, isArtifactLive } from "./readings.js";
import { type EvidenceArtifactCode, evidenceArtifactReasons } from "./reasons.js";

interface Conclusion {
  readonly verdict: Verdict;
  /** The first is our own, the others are those of a refreshed answer. */
  readonly codes: readonly [EvidenceArtifactCode, ...string[]];
  readonly limitations: readonly string[];
}

/** States where an artifact came from and whether its window is open; an expired one is judged by its new answer. */
export function evaluateEvidenceArtifact(
  { artifactId }: EvidenceArtifactInput,
  readings: EvidenceArtifactReadings,
) {
  const { source, block, observedAtMs } = readings;
  // Nothing follows from an artifact other than the one asked about.
  const isAsked = source.artifactId === artifactId;
  const isLive = isAsked && isArtifactLive(source, block.number, observedAtMs);
  const refreshed = isAsked ? readings.refreshed : null;
  const { verdict, codes, limitations } = conclude(isLive, refreshed);
  return {
    verdict,
    reasonCodes: codes,
    summary: `${source.capabilityId} at block ${source.block.number}: ${evidenceArtifactReasons[codes[0]].sentence}`,
    findings: {
      state: isLive ? "live" : refreshed ? "refreshed" : "expired",
      source: { capabilityId: source.capabilityId, capabilityVersion: source.capabilityVersion },
      input: source.input,
      fieldPaths: source.fieldPaths,
      validity: {
        validFromBlock: source.block.number,
        validUntilBlock: source.validUntilBlock,
        freshUntil: new Date(source.freshUntilMs).toISOString(),
      },
    },
    limitations: [
      ...limitations,
      "That the artifact was sold, and when its window ends by the clock, is the service's own record.",
    ],
  } satisfies Evaluation;
}

function conclude(isLive: boolean, refreshed: EvidenceArtifactReadings["refreshed"]): Conclusion {
  if (isLive) {
    return {
      verdict: "allow",
      codes: ["ARTIFACT_LIVE"],
      limitations: [
        "The verdict is about the artifact's window only; the artifact's own answer is not repeated here.",
      ],
    };
  }
  if (refreshed) {
    return {
      verdict: refreshed.verdict,
      codes: ["ARTIFACT_REFRESHED", ...unique(refreshed.reasonCodes)],
      limitations: [
        "The refreshed answer has limitations of its own, and refreshed.validUntil says when it ends.",
      ],
    };
  }
  return {
    verdict: "review",
    codes: ["ARTIFACT_EXPIRED"],
    limitations: ["The artifact has expired and was not recomputed: nothing is known about the present."],
  };
}
