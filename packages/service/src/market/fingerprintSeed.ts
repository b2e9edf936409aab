import { capabilities, findCapability } from "@assay/capabilities";
import { inputHashOf } from "@assay/protocol";

/** Do its answers rest on a fingerprint, which anyone may publish and which outlives them? */
export const isFingerprinted = (capabilityId: string): boolean =>
  findCapability(capabilityId)?.isPublishable === true;

/** The input whose seed is that of an address's fingerprint, whichever capability reuses it. */
export function fingerprintInputHash(address: string): string {
  const fingerprinted = capabilities.find(({ isPublishable }) => isPublishable);
  if (!fingerprinted) throw new Error("No capability has fingerprints that can be published.");
  return inputHashOf(fingerprinted.id, fingerprinted.version, { address });
}
