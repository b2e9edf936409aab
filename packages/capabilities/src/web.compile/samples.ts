import type { LocalChainFacts, Sample } from "../localChain.js";

/** Refused, and not charged: it shows nothing before its scripts run. */
const DRAWN_BY_SCRIPTS = "/script-only";

/** Each page of the local chain, under its path. */
export function listSamples({ pages }: LocalChainFacts): Sample[] {
  return pages
    .filter((url) => !url.endsWith(DRAWN_BY_SCRIPTS))
    .map((url) => ({ name: new URL(url).pathname.slice(1), input: { url } }));
}
