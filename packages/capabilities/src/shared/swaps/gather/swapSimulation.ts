import type { CallRead } from "@assay/chain";
import { type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import {
  parseSimulation,
  readSimulation,
  type SimulationOutcome,
  type SimulationStep,
} from "../../simulation/gather/simulationRunner.js";
import type { DecodedSwap, SwapTransaction } from "../decodeSwap.js";
import { encodeResale } from "../encodeResale.js";
import type { SimulatedSwap, SwapBalances } from "../swapReadings.js";

/** Just under the gas cap of a transaction (`TRANSACTION_GAS_CAP`), which some nodes also apply to calls. */
export const SWAP_GAS = 16_000_000;
/** Bytes: enough for a revert reason in words. */
const MAX_SALE_ANSWER = 1024;

interface SwapSteps {
  /** The sender first lets the router take any amount. */
  readonly withApproval: boolean;
  /** Part of what the swap brings is sold back after it. */
  readonly withResale: boolean;
}

/** One call of the runner, and how to read the swap from its answer. */
export interface SwapSimulation {
  readonly read: CallRead;
  parse(answer: Reading<Hex>): Reading<SimulatedSwap>;
}

/** The runner makes the swap as its sender. The resale after it is measured separately and does not change the swap. */
export function simulateSwap(
  { from, to, data, value }: SwapTransaction,
  swap: DecodedSwap,
  { withApproval, withResale }: SwapSteps,
): SwapSimulation {
  const approval: SimulationStep[] = withApproval && !swap.isNativeIn ? [approve(swap.tokenIn, to)] : [];
  const planned = withResale ? encodeResale(swap, { from, to }) : null;
  const resale = planned ? [planned.approval, planned.sale].map((step) => ({ ...step, value: 0n })) : [];
  const read = readSimulation({
    sender: from,
    steps: [...approval, { to, value: BigInt(value), data }, ...resale],
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
  return { read, parse: (answer) => parseSwap(answer, approval.length, planned !== null) };
}

function approve(token: Hex, spender: Hex): SimulationStep {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] });
  return { to: token, value: 0n, data };
}

const balanceOf = (token: Hex, holder: Hex) => ({
  target: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
});

/** An answer that is not the runner's counts as none. */
function parseSwap(answer: Reading<Hex>, swapStep: number, isResold: boolean): Reading<SimulatedSwap> {
  try {
    return mapReading(parseSimulation(answer), (outcomes) => {
      const [before, after, approved, sold] = outcomes.slice(swapStep);
      if (!before || !after) throw new RangeError("the runner reports no swap");
      if (isResold && (!approved || !sold)) throw new RangeError("the runner reports no sale");
      return {
        success: after.success,
        gasUsed: after.gasUsed.toString(),
        returned: after.returned,
        before: nameBalances(before),
        after: nameBalances(after),
        resale:
          approved && sold
            ? {
                approved: approved.success,
                success: sold.success,
                returned: sold.returned.slice(0, 2 + MAX_SALE_ANSWER * 2) as Hex,
                before: nameBalances(approved).tokenIn.sender,
                after: nameBalances(sold).tokenIn.sender,
              }
            : null,
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
