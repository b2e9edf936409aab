import { type CapabilityId, capabilities, type ListedCapability } from "./capabilities.js";
import type { Rule } from "./defineRule.js";
import type { Gatherer } from "./gathering.js";

export { createProofCollector, type ProofCollector } from "./shared/proofs/proofCollector.js";

/** A capability with everything the service needs to answer it. */
export type ServedCapability = ListedCapability & Rule & Gatherer;

/**
 * How a capability reads is loaded by its folder's name and not by a field of the capability. Bundlers that follow the
 * capabilities into a browser therefore never meet the packages that read.
 */
async function serve(capability: ListedCapability): Promise<ServedCapability> {
  const [rule, { gatherer }] = await Promise.all([
    capability.loadRule(),
    import(/* @vite-ignore */ `./${capability.id}/gather/gather.js`) as Promise<{ gatherer: Gatherer }>,
  ]);
  return { ...capability, ...rule, ...gatherer };
}

const served: ReadonlyMap<string, ServedCapability> = new Map(
  await Promise.all(capabilities.map(async (one) => [one.id, await serve(one)] as const)),
);

/** Every capability, in catalog order. */
export const servedCapabilities: readonly ServedCapability[] = [...served.values()];

export function getServed(id: CapabilityId): ServedCapability {
  const capability = served.get(id);
  if (!capability) throw new RangeError(`no capability ${id}`);
  return capability;
}

export function findServed(id: string): ServedCapability | undefined {
  return served.get(id);
}
