import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { type Abi, encodeDeployData } from "viem";

interface Lens {
  readonly abi: Abi;
  readonly bytecode: Hex;
}
const load = createRequire(import.meta.url);
const conditionLens = load("@assay/contracts/out/ConditionLens.json") as Lens;
const oracleLens = load("@assay/contracts/out/OracleLens.json") as Lens;

/** Twenty small calls, or one for a long text and three small ones; both leave room to spare. */
const LENS_GAS = 6_000_000;

/** The answers of a contract that keeps conditions about one of them: all of them or none. */
export function readConditionAnswers(tokens: Hex, conditionId: Hex): CallRead {
  return lensRead(conditionLens, [tokens, conditionId]);
}

/** The procedure that an oracle takes its answer from, and its state for the question. */
export function readOracleProcedure(oracle: Hex, questionId: Hex): CallRead {
  return lensRead(oracleLens, [oracle, questionId]);
}

const lensRead = ({ abi, bytecode }: Lens, args: readonly Hex[]): CallRead => ({
  kind: "call",
  to: null,
  data: encodeDeployData({ abi, bytecode, args }),
  gas: LENS_GAS,
});
