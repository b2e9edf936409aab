import type { ListedCapability } from "./capabilities.js";
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

/** What looks at an address before anything is asked about it; loaded when it is first needed, with its tables. */
export const loadLookAtAddress = async () =>
  (await import("./shared/intents/gather/lookAtAddress.js")).lookAtAddress;

const loaded = new Map<string, Promise<ServedCapability>>();

/** Loaded when it is first answered: a process that sells one capability need not hold the rules and tables of all of them. */
export function loadServed(capability: ListedCapability): Promise<ServedCapability> {
  const serving = loaded.get(capability.id) ?? serve(capability);
  loaded.set(capability.id, serving);
  return serving;
}
