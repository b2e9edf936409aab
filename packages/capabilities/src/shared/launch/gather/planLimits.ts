import { type Hex, noAnswer } from "@assay/protocol";
import { toFunctionSelector } from "viem";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import type { LaunchReadings } from "../launchReadings.js";

/** What tokens call the limits that they state, in their smallest unit. */
const NAMES: Readonly<Record<"transaction" | "wallet", readonly string[]>> = {
  transaction: [
    "maxTxAmount",
    "maxTransactionAmount",
    "maxTx",
    "maxTransaction",
    "maxTxSize",
    "maxBuyAmount",
  ],
  wallet: ["maxWalletSize", "maxWallet", "maxWalletAmount", "maxWalletBalance", "maxHoldingAmount"],
};
const MOST = 4;

const limits: ReadonlyMap<string, "transaction" | "wallet"> = new Map(
  Object.entries(NAMES).flatMap(([kind, names]) =>
    names.flatMap((name) =>
      [name, `_${name}`].map(
        (one) => [toFunctionSelector(`${one}()`), kind as "transaction" | "wallet"] as const,
      ),
    ),
  ),
);

/** The limits of purchases and balances that the token states. */
export function planLimits(
  batch: Batch,
  token: Hex,
  analysis: CodeAnalysis | null,
): { parse(): NonNullable<LaunchReadings["limits"]> } {
  const asked = (analysis?.functions ?? [])
    .flatMap(({ selector }) => {
      const kind = limits.get(selector);
      return kind === undefined ? [] : [{ kind, selector: selector as Hex }];
    })
    .slice(0, MOST)
    .map((one) => ({ ...one, answer: batch.ask({ kind: "call", to: token, data: one.selector }) }));
  return {
    parse: () =>
      asked.map(({ kind, selector, answer }) => ({
        kind,
        selector,
        answer: cutAnswer(answer() ?? noAnswer, WORD_ANSWER_BYTES),
      })),
  };
}
