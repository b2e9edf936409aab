import { getCapability } from "@assay/capabilities";
import { inputHashOf } from "@assay/protocol";

/** Its answers rest on a fingerprint, which anyone may publish and which outlives them. */
export const FINGERPRINTED_CAPABILITY = "contract.guard";

/** The input whose seed is that of an address's fingerprint, whichever capability reuses it. */
export function fingerprintInputHash(address: string): string {
  const { id, version } = getCapability(FINGERPRINTED_CAPABILITY);
  return inputHashOf(id, version, { address });
}
