import type { ChainRead, StateOverrides } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { readSimulation, type SimulationStep } from "../../simulation/gather/simulationRunner.js";
import type { TransactionIntentInput } from "../transactionInput.js";

/** How what is judged really runs: who calls what, one call after the other, on which changed state. */
export interface Execution {
  readonly caller: Hex;
  readonly steps: readonly SimulationStep[];
  readonly overrides?: StateOverrides;
  /** Whether calls that take a deposit back can be made by the same caller. */
  readonly takesExit: boolean;
}

/** A transaction that its sender sends. */
export const executeAsSent = ({ from, to, data, value }: TransactionIntentInput): Execution => ({
  caller: from,
  steps: [{ to, data, value: BigInt(value) }],
  takesExit: true,
});

type TracedTransaction = Omit<Extract<ChainRead, { kind: "trace" }>, "kind">;

/** The one transaction that makes all the calls: several are made by the runner, standing at the caller's address. */
export function readExecution({
  caller,
  steps,
  overrides,
}: Execution): TracedTransaction & { readonly to: Hex } {
  const [only] = steps;
  if (steps.length === 1 && only) return { from: caller, ...only, ...(overrides && { overrides }) };
  const run = readSimulation({
    sender: caller,
    steps,
    accounts: [],
    probes: [],
    ...(overrides && { overrides }),
    gas: 0,
  });
  return {
    from: caller,
    to: caller,
    data: run.data,
    value: 0n,
    ...(run.overrides && { overrides: run.overrides }),
  };
}
