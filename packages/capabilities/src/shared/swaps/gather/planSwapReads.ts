import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import { cutAnswer } from "../../reads/gather/cutAnswer.js";
import { type DecodedSwap, decodeSwap, type SwapTransaction } from "../decodeSwap.js";
import { encodeSimulatedSwap } from "../encodeSimulatedSwap.js";
import { encodeSmallSwap } from "../encodeSmallSwap.js";
import { listMarketQuestions } from "../marketQuestions.js";
import { SWAP_ANSWER_BYTES, type SwapOutcomeReadings } from "../swapReadings.js";
import type { SwapRouter } from "../swapRouters.js";
import { type SwapSimulation, simulateSwap } from "./swapSimulation.js";

const quoteAbi = parseAbi(["function getAmountsOut(uint256, address[]) view returns (uint256[])"]);

const routedQuoteAbi = parseAbi([
  "function getAmountsOut(uint256, (address from, address to, bool stable, address factory)[]) view returns (uint256[])",
]);

/** The reads about one swap, and how to parse their answers, which come in the same order. */
interface SwapReads {
  readonly reads: readonly CallRead[];
  parse(answers: readonly Reading<Hex>[]): SwapOutcomeReadings;
}

/** The reads that every guard judges a swap by, for its one batch. */
export function planSwapReads(
  { router, decoded }: { readonly router: SwapRouter; readonly decoded: DecodedSwap },
  transaction: SwapTransaction,
): SwapReads {
  const simulated = encodeSimulatedSwap(decoded, transaction);
  const whole = simulateSwap(simulated, decoded, { withApproval: false, withResale: true });
  const small = simulateSmall(router, decoded, transaction);
  const quote = decoded.toleratesTransferFees && !decoded.program ? [readQuote(simulated.to, decoded)] : [];
  return {
    reads: [whole.read, ...(small ? [small.read] : []), ...quote],
    parse(answers) {
      const [first = noAnswer, ...rest] = answers;
      return {
        simulation: whole.parse(first),
        small: small ? small.parse(rest[0] ?? noAnswer) : null,
        market: small ? small.parseMarket(rest[0] ?? noAnswer) : null,
        quote: quote.length > 0 ? cutAnswer(rest[small ? 1 : 0], SWAP_ANSWER_BYTES) : null,
      };
    },
  };
}

function simulateSmall(
  router: SwapRouter,
  decoded: DecodedSwap,
  transaction: SwapTransaction,
): SwapSimulation | null {
  const small = encodeSmallSwap(decoded, transaction);
  const found = small && decodeSwap(small, [router]);
  if (!small || !found || !("swap" in found)) return null;
  return simulateSwap(small, found.swap, {
    withApproval: true,
    withResale: false,
    questions: listMarketQuestions(decoded),
  });
}

/** What the pools alone would give for the input, before the tokens keep a part of it. */
function readQuote(router: Hex, { amountIn, tokenIn, hops, call }: DecodedSwap): CallRead {
  if (call.fields.routes !== undefined) {
    const args = [amountIn, call.fields.routes as never] as const;
    return { kind: "call", to: router, data: encodeFunctionData({ abi: routedQuoteAbi, args }) };
  }
  const path = [tokenIn, ...hops.map(({ tokenOut }) => tokenOut)];
  const data = encodeFunctionData({ abi: quoteAbi, functionName: "getAmountsOut", args: [amountIn, path] });
  return { kind: "call", to: router, data };
}
