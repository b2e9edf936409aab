import type { Sample } from "../localChain.js";

/** None: the question names an obligation that the service has published, and a new service has published none. */
export function listSamples(): Sample[] {
  return [];
}
