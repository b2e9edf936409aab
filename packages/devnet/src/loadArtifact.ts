import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Abi, Hex } from "viem";

const require = createRequire(import.meta.url);

export interface Artifact {
  abi: Abi;
  /** Creation code. */
  bytecode: Hex;
}

/** Reads a compiled contract out of an installed package, for example `@uniswap/v2-core/build/UniswapV2Factory.json`. */
export function loadArtifact(path: string): Artifact {
  const { abi, bytecode: published } = require(path) as { abi: Abi; bytecode: string | { object: string } };
  // Foundry puts the bytes into an object; Uniswap V2's packages omit the prefix.
  const bytecode = typeof published === "string" ? published : published.object;
  return { abi, bytecode: bytecode.startsWith("0x") ? (bytecode as Hex) : `0x${bytecode}` };
}

/** The creation code of Multicall3 is published only inside viem, which does not export it, so it is loaded by path. */
export function loadMulticall3(): Artifact {
  const contracts = join(dirname(require.resolve("viem")), "constants", "contracts.js");
  const { multicall3Bytecode } = require(contracts) as { multicall3Bytecode: Hex };
  return { abi: [], bytecode: multicall3Bytecode };
}
