import { artifactIdOf, type CapabilityResult, NETWORK } from "@assay/protocol";
import type { Evidence } from "./readSaved.js";

/** The artifact id that follows from an answer's content. */
export function recomputeArtifactId(
  {
    capabilityId,
    capabilityVersion,
    verdict,
    result,
  }: Pick<CapabilityResult, "capabilityId" | "capabilityVersion" | "verdict" | "result">,
  { block, input, readings, salt }: Evidence,
): string {
  const { validUntilBlock } = result;
  return artifactIdOf({
    capabilityId,
    capabilityVersion,
    network: NETWORK,
    input,
    readings,
    verdict,
    block,
    validUntilBlock,
    ...(salt !== undefined && { salt }),
  });
}
