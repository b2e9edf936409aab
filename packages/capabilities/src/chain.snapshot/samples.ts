import type { Sample } from "../localChain.js";

export function listSamples(): Sample[] {
  return [{ name: "Now", input: {} }];
}
