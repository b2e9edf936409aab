import type { CallRead } from "@assay/chain";
import {
  askBesideGas,
  CHAIN_ID,
  type Hex,
  isBoundedBySize,
  type Reading,
  readBesideGas,
} from "@assay/protocol";
import { serializeTransaction } from "viem";
import type { TransactionIntentInput } from "../transactionInput.js";
import type { TransactionIntentReadings } from "../transactionReadings.js";

/** Stand in for what a wallet fills in, and are as long as that is. */
const SOME_NONCE = 1_000;
const SOME_GAS = 1_000_000n;

/** One read of what the transaction costs beside its gas, and how its answer is recorded. */
export function askFees({ to, data, value }: TransactionIntentInput, gasPrice: bigint) {
  const unsigned = serializeTransaction({
    type: "eip1559",
    chainId: CHAIN_ID,
    nonce: SOME_NONCE,
    to,
    data,
    value: BigInt(value),
    gas: SOME_GAS,
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: gasPrice,
  });
  const read: CallRead = { kind: "call", ...askBesideGas([unsigned]) };
  return {
    read,
    parse(answer: Reading<Hex>): TransactionIntentReadings["besideGas"] {
      if (answer.status !== "value") return answer;
      const fees = readBesideGas(answer.value);
      if (!fees) return { status: "absent" };
      const [l1Data = null] = fees.l1Data;
      const { operator } = fees;
      return {
        status: "value",
        value: {
          l1Data: l1Data === null ? null : { wei: l1Data.toString(), isBound: isBoundedBySize(unsigned) },
          operator: operator && {
            constant: operator.constant.toString(),
            perMillionGas: operator.perMillionGas.toString(),
          },
        },
      };
    },
  };
}
