import { type CapabilityId, capabilities } from "./capabilities.js";
import type { LocalChainFacts, Sample } from "./localChain.js";

interface Samples {
  listSamples(facts: LocalChainFacts): Sample[];
}

/** Loaded by the folder's name, like a gatherer: a browser receives samples from the service and needs no code for them. */
const loaded = await Promise.all(
  capabilities.map(
    async ({ id }) => [id, (await import(/* @vite-ignore */ `./${id}/samples.js`)) as Samples] as const,
  ),
);

/** What to ask each capability on the local chain, in catalog order; those without a sample are left out. */
export function listLocalSamples(
  facts: LocalChainFacts,
): Readonly<Partial<Record<CapabilityId, readonly Sample[]>>> {
  const samples = loaded.map(([id, { listSamples }]) => [id, listSamples(facts)] as const);
  return Object.fromEntries(samples.filter(([, { length }]) => length > 0));
}
