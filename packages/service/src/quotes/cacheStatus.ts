import type { CacheStatus, CapabilityInput, CapabilitySpec } from "@assay/protocol";
import { findCapability } from "../capabilities/registry.js";
import type { BaseContext } from "../context.js";
import { hasFreshArtifact } from "../evidence/artifacts.js";
import { findFreshFingerprint } from "../evidence/fingerprints.js";
import type { Freshness } from "../evidence/freshness.js";

const addressIn = (input: CapabilityInput): string | undefined =>
  "address" in input && typeof input.address === "string" ? input.address : undefined;

/** From memory alone, for challenges: may be out of date, never wrong to offer. */
export function guessCacheStatus(
  freshness: Freshness,
  spec: CapabilitySpec,
  input: CapabilityInput,
  inputHash: string,
  headBlock: number,
): CacheStatus {
  if (spec.reuse === "private") return "miss";
  if (freshness.hasAnswer(inputHash, headBlock)) return "hit";
  const address = addressIn(input);
  return findCapability(spec.id)?.usesFingerprint && address && freshness.hasFingerprint(address)
    ? "partial"
    : "miss";
}

/** From the database, for quotes. */
export async function readCacheStatus(
  context: BaseContext,
  spec: CapabilitySpec,
  input: CapabilityInput,
  inputHash: string,
  headBlock: number,
): Promise<CacheStatus> {
  if (spec.reuse === "private") return "miss";
  if (await hasFreshArtifact(context.database, inputHash, headBlock)) return "hit";
  const address = addressIn(input);
  if (!findCapability(spec.id)?.usesFingerprint || !address) return "miss";
  return (await findFreshFingerprint(context.database, address)) ? "partial" : "miss";
}
