import { encodeFunctionData, type Hex, parseAbi } from "viem";
import { dropPermits } from "./decodeProgram.js";
import type { DecodedSwap, SwapTransaction } from "./decodeSwap.js";

const abi = parseAbi(["function multicall(bytes[] data)"]);

/**
 * The transaction as it is simulated. A multicall that is bound to a block hash is replaced by one that is not: nodes run
 * calls inside the block they are asked about, so the bound form would succeed for a past block and not for the next one.
 * Signatures for Permit2 are left out of a program, and the sender gives these permissions itself: while the simulation runs, the
 * sender has code, which Permit2 would ask about them.
 */
export function encodeSimulatedSwap(
  { multicall, program, permissions, call }: DecodedSwap,
  transaction: SwapTransaction,
): SwapTransaction {
  if (program && permissions.length > 0) {
    const { commands, inputs } = dropPermits(
      call.fields.commands as Hex,
      call.fields.inputs as readonly Hex[],
    );
    const { deadline } = call.fields as { deadline?: bigint };
    const args = deadline === undefined ? [commands, inputs] : [commands, inputs, deadline];
    return { ...transaction, data: encodeFunctionData({ abi: [call.abi], args }) };
  }
  if (multicall === null || multicall.previousBlockHash === null) return transaction;
  return { ...transaction, data: encodeFunctionData({ abi, args: [multicall.calls] }) };
}
