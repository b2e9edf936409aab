import { type RefreshedAnswer, resultHashOf } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import type { StoredArtifact } from "../../records.js";
import type { EvidenceArtifactInput } from "../input.js";
import { type EvidenceArtifactReadings, isArtifactLive } from "../readings.js";

/** The artifact's origin, and its answer computed again at this block when its window has closed. */
async function gatherEvidenceArtifact(
  context: GatherContext,
  { artifactId }: EvidenceArtifactInput,
): Promise<Gathered<EvidenceArtifactReadings>> {
  const { block, records } = context;
  const { artifact, resultHash, fieldPaths } = await records.getEvidenceSource(artifactId);
  const observedAtMs = Date.now();
  const isLive = isArtifactLive(artifact, block.number, observedAtMs);
  const again = isLive ? undefined : await context.answerAgain(artifact.capabilityId, artifact.input);
  return {
    status: again ? "miss" : "hit",
    readings: {
      block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
      observedAtMs,
      source: {
        artifactId: artifact.artifactId,
        capabilityId: artifact.capabilityId,
        capabilityVersion: artifact.capabilityVersion,
        input: artifact.input,
        inputHash: artifact.inputHash,
        resultHash,
        block: artifact.block,
        validUntilBlock: artifact.validUntilBlock,
        freshUntilMs: artifact.freshUntilMs,
        fieldPaths: [...fieldPaths],
      },
      refreshed: again ? describeAnswer(again) : null,
    },
    ...(again && { refreshed: showAnswer(again) }),
  };
}

/** What the rule needs to know of the new answer; its hashes tie `result.refreshed` to the readings. */
function describeAnswer(again: StoredArtifact): EvidenceArtifactReadings["refreshed"] {
  return {
    capabilityId: again.capabilityId,
    capabilityVersion: again.capabilityVersion,
    artifactId: again.artifactId,
    resultHash: resultHashOf(again.verdict, again.result),
    verdict: again.verdict,
    reasonCodes: again.result.reasonCodes as NonNullable<
      EvidenceArtifactReadings["refreshed"]
    >["reasonCodes"],
    validUntilBlock: again.validUntilBlock,
    freshUntilMs: again.freshUntilMs,
  };
}

function showAnswer(again: StoredArtifact): RefreshedAnswer {
  const { capabilityId, capabilityVersion, artifactId, verdict, result } = again;
  return {
    capabilityId,
    capabilityVersion,
    artifactId,
    verdict,
    result,
    validUntil: { block: again.validUntilBlock, time: new Date(again.freshUntilMs).toISOString() },
  };
}

export const gatherer: Gatherer<EvidenceArtifactInput, EvidenceArtifactReadings> = {
  gather: gatherEvidenceArtifact,
};
