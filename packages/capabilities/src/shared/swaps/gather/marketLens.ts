import { createRequire } from "node:module";
import type { StateOverrides } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { type Abi, decodeFunctionResult, encodeFunctionData } from "viem";
import type { MarketQuestion } from "../marketQuestions.js";

const artifact = createRequire(import.meta.url)("@assay/contracts/out/MarketLens.json") as {
  readonly abi: Abi;
  readonly deployedBytecode: Hex;
};

/** Where the lens stands while it asks. Nobody has the key of such an address, and nothing else uses it. */
const PLACE: Hex = "0x0000000000000000000000000000000a4ce70001";

export const marketOverrides: StateOverrides = { [PLACE]: { code: artifact.deployedBytecode } };

/** The call that asks all of them, one after another. */
export function askMarket(questions: readonly MarketQuestion[]): { readonly to: Hex; readonly data: Hex } {
  const args = [questions.map(({ target, data, place }) => ({ target, data, place }))];
  return { to: PLACE, data: encodeFunctionData({ abi: artifact.abi, functionName: "ask", args }) };
}

/** Throws where the data is not an answer of the lens. */
export const decodeMarket = (data: Hex): string[] =>
  (decodeFunctionResult({ abi: artifact.abi, functionName: "ask", data }) as readonly bigint[]).map(String);
