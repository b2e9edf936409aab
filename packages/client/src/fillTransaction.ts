import { CHAIN_ID, type Hex } from "@assay/protocol";
import type { Account } from "viem";
import { prepareTransactionRequest } from "viem/actions";
import { asViemClient, type Wallet } from "./wallet.js";

/** The fields of a transaction that a guard judges. */
export interface JudgedCall {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
}

/** The fields that no guard judges: the order of transactions and the limits on gas. */
export interface GasTerms {
  readonly gas?: bigint | undefined;
  readonly nonce?: number | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
}

/** A transaction that lacks only its signature. `nonce` is undefined when the wallet sets it. */
export interface FilledTransaction extends JudgedCall {
  readonly gas: bigint;
  readonly nonce: number | undefined;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/**
 * Asks the wallet's node for the fields that the caller left out. `neededGas` is what the node measured, also when the caller
 * gave `gas`. What the wallet's chain definition would add is left out, because it was not judged.
 */
export async function fillTransaction(
  wallet: Wallet,
  account: Account,
  judged: JudgedCall,
  terms: GasTerms,
): Promise<{ readonly filled: FilledTransaction; readonly neededGas: bigint }> {
  const { from, ...call } = judged;
  const { gas, ...given } = terms;
  const isLocal = account.type === "local";
  const prepared = await prepareTransactionRequest(asViemClient(wallet), {
    ...{ ...call, ...given, account: from, chain: null, chainId: CHAIN_ID, type: "eip1559" },
    ...(isLocal && account.nonceManager && { nonceManager: account.nonceManager }),
    parameters: isLocal ? ["fees", "gas", "nonce"] : ["fees", "gas"],
  } as never);
  const found = prepared as FilledTransaction;
  return {
    neededGas: found.gas,
    filled: {
      ...judged,
      gas: gas ?? found.gas,
      maxFeePerGas: given.maxFeePerGas ?? found.maxFeePerGas,
      maxPriorityFeePerGas: given.maxPriorityFeePerGas ?? found.maxPriorityFeePerGas,
      nonce: isLocal ? found.nonce : given.nonce,
    },
  };
}
