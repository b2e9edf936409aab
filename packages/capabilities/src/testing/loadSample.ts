import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import type { Abi } from "viem";

export interface SampleContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A compiled contract of `contracts/src`, by its name. */
export const loadSample = (name: string) =>
  createRequire(import.meta.url)(`@assay/contracts/out/${name}.json`) as SampleContract & {
    readonly deployedBytecode: Hex;
  };
