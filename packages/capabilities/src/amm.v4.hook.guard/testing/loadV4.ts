import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import type { Abi } from "viem";

/** A contract as v4-core publishes it. */
export function loadV4(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  const { abi, bytecode } = createRequire(import.meta.url)(
    `@uniswap/v4-core/out/${name}.sol/${name}.json`,
  ) as { abi: Abi; bytecode: { object: Hex } };
  return { abi, bytecode: bytecode.object };
}
