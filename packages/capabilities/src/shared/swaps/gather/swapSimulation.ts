import type { CallRead } from "@assay/chain";
import { absent, type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import { PERMIT2 } from "../../chain-facts/knownContracts.js";
import {
  parseSimulation,
  readSimulation,
  type SimulationOutcome,
  type SimulationStep,
} from "../../simulation/gather/simulationRunner.js";
import type { DecodedSwap, SwapTransaction } from "../decodeSwap.js";
import { encodePermit2Approval } from "../encodeProgram.js";
import { encodeResale, listApprovals } from "../encodeResale.js";
import type { MarketQuestion } from "../marketQuestions.js";
import { listMeasuredTokens } from "../measureSwap.js";
import type { SimulatedSwap, SwapBalances } from "../swapReadings.js";
import { askMarket, decodeMarket, marketOverrides } from "./marketLens.js";

/** Just under the gas cap of a transaction (`TRANSACTION_GAS_CAP`), which some nodes also apply to calls. */
export const SWAP_GAS = 16_000_000;
/** Balances of the two tokens that are swapped; two of each other token follow. */
const OWN_PROBES = 4;
/** Bytes: enough for a revert reason in words. */
const MAX_SALE_ANSWER = 1024;

interface SwapSteps {
  /** The sender first lets the router take any amount. */
  readonly withApproval: boolean;
  /** Part of what the swap brings is sold back after it. */
  readonly withResale: boolean;
  /** Exchanges are asked these before the swap. */
  readonly questions?: readonly MarketQuestion[];
}

/** One call of the runner, and how to read the swap from its answer. */
export interface SwapSimulation {
  readonly read: CallRead;
  parse(answer: Reading<Hex>): Reading<SimulatedSwap>;
  /** What exchanges answered before the swap; absent where they were not asked. */
  parseMarket(answer: Reading<Hex>): Reading<string[]>;
}

/** The runner makes the swap as its sender. The resale after it is measured separately and does not change the swap. */
export function simulateSwap(
  { from, to, data, value }: SwapTransaction,
  swap: DecodedSwap,
  { withApproval, withResale, questions = [] }: SwapSteps,
): SwapSimulation {
  const planned = withResale ? encodeResale(swap, { from, to }) : null;
  const call = (step: { readonly to: Hex; readonly data: Hex }): SimulationStep => ({ ...step, value: 0n });
  const permits = (swap.program?.permits ?? []).map(({ token, amount, expiration }) => ({
    to: PERMIT2,
    data: encodePermit2Approval(token, to, amount, expiration),
  }));
  const approval =
    withApproval && !swap.isNativeIn
      ? listApprovals(swap, to, swap.tokenIn, maxUint256).map(call)
      : permits.map(call);
  const resale = planned ? [...planned.approvals, planned.sale].map(call) : [];
  const asked = questions.length > 0 ? [call(askMarket(questions))] : [];
  const read = readSimulation({
    sender: from,
    steps: [...asked, ...approval, { to, value: BigInt(value), data }, ...resale],
    // In the order `nameBalances` reads them.
    accounts: [from, swap.recipient, to],
    probes: [
      balanceOf(swap.tokenIn, from),
      balanceOf(swap.tokenIn, to),
      balanceOf(swap.tokenOut, swap.recipient),
      balanceOf(swap.tokenOut, to),
      ...listMeasuredTokens(swap, from).flatMap((token) => [balanceOf(token, from), balanceOf(token, to)]),
    ],
    gas: SWAP_GAS,
    ...(asked.length > 0 && { overrides: marketOverrides }),
  });
  return {
    read,
    parse: (answer) => parseSwap(answer, asked.length + approval.length, planned?.approvals.length ?? 0),
    parseMarket: (answer) => (asked.length > 0 ? parseMarket(answer) : absent),
  };
}

const balanceOf = (token: Hex, holder: Hex) => ({
  target: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
});

/** The exchanges' answers are what the first step returned. */
function parseMarket(answer: Reading<Hex>): Reading<string[]> {
  try {
    return mapReading(parseSimulation(answer), ([, asked]) => decodeMarket(asked?.returned ?? "0x"));
  } catch {
    return absent;
  }
}

/** An answer that is not the runner's counts as none. */
function parseSwap(answer: Reading<Hex>, swapStep: number, approvals: number): Reading<SimulatedSwap> {
  try {
    return mapReading(parseSimulation(answer), (outcomes) => {
      const [before, after, ...later] = outcomes.slice(swapStep);
      if (!before || !after) throw new RangeError("the runner reports no swap");
      const approved = later.slice(0, approvals);
      const [lastApproved, sold] = [approved.at(-1), later[approvals]];
      if (approvals > 0 && (!lastApproved || !sold)) throw new RangeError("the runner reports no sale");
      return {
        success: after.success,
        gasUsed: after.gasUsed.toString(),
        returned: after.returned,
        before: nameBalances(before),
        after: nameBalances(after),
        resale:
          lastApproved && sold
            ? {
                approved: approved.every(({ success }) => success),
                success: sold.success,
                returned: sold.returned.slice(0, 2 + MAX_SALE_ANSWER * 2) as Hex,
                before: nameBalances(lastApproved).tokenIn.sender,
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
    others: Array.from({ length: Math.floor((words.length - OWN_PROBES) / 2) }, (_, index) => ({
      sender: word(OWN_PROBES + index * 2),
      router: word(OWN_PROBES + index * 2 + 1),
    })),
  };
}
