import { createRequire } from "node:module";
import type { CallRead, StateOverrides } from "@assay/chain";
import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";

const artifact = createRequire(import.meta.url)("@assay/contracts/out/SimulationRunner.json") as {
  readonly abi: Abi;
  readonly deployedBytecode: Hex;
};

export interface SimulationStep {
  readonly to: Hex;
  readonly value: bigint;
  readonly data: Hex;
}

interface Simulation {
  /** Who makes the calls; the runner stands at this address while they run. */
  readonly sender: Hex;
  readonly steps: readonly SimulationStep[];
  /** Whose native balances are measured. */
  readonly accounts: readonly Hex[];
  /** Views that answer one word, measured beside them: a balance, an allowance. */
  readonly probes: readonly { readonly target: Hex; readonly data: Hex }[];
  readonly overrides?: StateOverrides;
  readonly gas: number;
}

/** The state before the first step, then after each. A word that could not be read is null. */
export interface SimulationOutcome {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly returned: Hex;
  readonly native: readonly bigint[];
  readonly words: readonly (bigint | null)[];
}

/**
 * One `eth_call` that makes the calls as their sender and measures around them; see
 * `contracts/src/SimulationRunner.sol`.
 */
export function readSimulation({ sender, steps, accounts, probes, overrides, gas }: Simulation): CallRead {
  const own = overrides?.[sender];
  return {
    kind: "call",
    // The sender itself, so that contracts which compare the caller with the origin see what they would see.
    from: sender,
    to: sender,
    data: encodeFunctionData({ abi: artifact.abi, functionName: "run", args: [steps, accounts, probes] }),
    gas,
    overrides: { ...overrides, [sender]: { ...own, code: artifact.deployedBytecode } },
  };
}

interface RawOutcome {
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly returned: Hex;
  readonly native: readonly bigint[];
  readonly words: readonly { readonly isRead: boolean; readonly value: bigint }[];
}

export function parseSimulation(answer: Reading<Hex>): Reading<readonly SimulationOutcome[]> {
  return mapReading(answer, decodeSimulation);
}

/** Throws where the data is not an answer of the runner. */
export function decodeSimulation(data: Hex): readonly SimulationOutcome[] {
  const outcomes = decodeFunctionResult({ abi: artifact.abi, functionName: "run", data });
  return (outcomes as readonly RawOutcome[]).map(({ words, ...outcome }) => ({
    ...outcome,
    words: words.map(({ isRead, value }) => (isRead ? value : null)),
  }));
}
