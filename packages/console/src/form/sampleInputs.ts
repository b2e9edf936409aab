import { type CapabilityId, getCapability } from "@assay/client";
import type { LocalChain } from "@assay/protocol";
import type { InputValues } from "./checkInput.js";

export interface Sample {
  readonly name: string;
  readonly values: InputValues;
}

const toValues = (input: object): InputValues =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value ?? "")]));

/** Contracts of the local chain have names of programs. */
const inWords = (name: string) =>
  /^[a-z]+([A-Z][a-z0-9]*)+$/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    : name;

/** Inputs to try at one click. The first is what a form begins with. */
export function listSamples(id: CapabilityId, localChain: LocalChain | null): Sample[] {
  if (!localChain) return [{ name: "Example on Base", values: toValues(getCapability(id).example) }];
  // Most addresses of the examples on Base hold nothing on the local chain.
  return (localChain.samples[id] ?? []).map(({ name, input }) => ({
    name: inWords(name),
    values: toValues(input),
  }));
}
