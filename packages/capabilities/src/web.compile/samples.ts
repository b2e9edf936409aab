import type { LocalChainFacts, Sample } from "../localChain.js";

/** Each page of the local chain, under its path. */
export function listSamples({ pages }: LocalChainFacts): Sample[] {
  return pages.map((url) => ({ name: new URL(url).pathname.slice(1), input: { url } }));
}
