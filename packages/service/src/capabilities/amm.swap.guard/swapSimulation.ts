import { type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";
import type { DecodedSwap, SimulatedSwap, SwapBalances, SwapTransaction } from "@assay/rules";
import { encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import type { CallRead } from "../../chain/types.js";
import { parseSimulation, readSimulation, type SimulationOutcome } from "../simulationRunner.js";

/** Just under what one transaction may use on Base (16,777,216), which some nodes also hold calls to. */
export const SWAP_GAS = 16_000_000;

/** The swap made by the runner as its sender, who may first let the router take any amount. */
export function readSwapSimulation(
  { from, to, data, value }: SwapTransaction,
  swap: DecodedSwap,
  withApproval: boolean,
): CallRead {
  const balanceOf = (token: Hex, holder: Hex) => ({
    target: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
  });
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [to, maxUint256] });
  return readSimulation({
    sender: from,
    steps: [
      ...(withApproval && !swap.isNativeIn ? [{ to: swap.tokenIn, value: 0n, data: approval }] : []),
      { to, value: BigInt(value), data },
    ],
    // In the order `nameBalances` reads them.
    accounts: [from, swap.recipient, to],
    probes: [
      balanceOf(swap.tokenIn, from),
      balanceOf(swap.tokenIn, to),
      balanceOf(swap.tokenOut, swap.recipient),
      balanceOf(swap.tokenOut, to),
    ],
    gas: SWAP_GAS,
  });
}

/** What the last step, the swap, did. An answer that is not the runner's counts as none. */
export function parseSwapSimulation(answer: Reading<Hex>): Reading<SimulatedSwap> {
  try {
    return mapReading(parseSimulation(answer), (outcomes) => {
      const [before, after] = outcomes.slice(-2);
      if (!before || !after) throw new RangeError("the runner tells of no step");
      return {
        success: after.success,
        gasUsed: after.gasUsed.toString(),
        returned: after.returned,
        before: nameBalances(before),
        after: nameBalances(after),
      };
    });
  } catch {
    return unanswered("malformed");
  }
}

function nameBalances({ native, words }: SimulationOutcome): SwapBalances {
  const wei = (index: number) => (native[index] ?? 0n).toString();
  const word = (index: number) => words[index]?.toString() ?? null;
  return {
    native: { sender: wei(0), recipient: wei(1), router: wei(2) },
    tokenIn: { sender: word(0), router: word(1) },
    tokenOut: { recipient: word(2), router: word(3) },
  };
}
