import { encodeFunctionData, parseAbi } from "viem";
import type { DecodedSwap, SwapTransaction } from "./decodeSwap.js";

const abi = parseAbi(["function multicall(bytes[] data)"]);

/**
 * The transaction as it is simulated. A multicall that is bound to a block hash is replaced by one that is not: nodes run
 * calls inside the block they are asked about, so the bound form would succeed for a past block and not for the next one.
 */
export function encodeSimulatedSwap(
  { multicall }: DecodedSwap,
  transaction: SwapTransaction,
): SwapTransaction {
  if (multicall === null || multicall.previousBlockHash === null) return transaction;
  return { ...transaction, data: encodeFunctionData({ abi, args: [multicall.calls] }) };
}
