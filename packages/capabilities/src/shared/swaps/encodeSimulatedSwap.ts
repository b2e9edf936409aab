import { encodeFunctionData, parseAbi } from "viem";
import type { DecodedSwap, SwapTransaction } from "./decodeSwap.js";

const abi = parseAbi(["function multicall(bytes[] data)"]);

/**
 * The transaction as it is simulated. One bound to a block hash is taken out of that bond: nodes run calls inside the
 * block they are asked about, so that the bond would hold for a block that has passed and not for the one to come.
 */
export function encodeSimulatedSwap(
  { multicall }: DecodedSwap,
  transaction: SwapTransaction,
): SwapTransaction {
  if (multicall === null || multicall.previousBlockHash === null) return transaction;
  return { ...transaction, data: encodeFunctionData({ abi, args: [multicall.calls] }) };
}
