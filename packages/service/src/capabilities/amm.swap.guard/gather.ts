import { AssayError, type CapabilityInput, type Hex, mapReading, type Reading } from "@assay/protocol";
import {
  type DecodedSwap,
  decodeSwap,
  encodeSimulatedSwap,
  encodeSmallSwap,
  findSwapRouter,
  SWAP_ANSWER_BYTES,
  type SwapGuardReadings,
  type SwapRouter,
} from "@assay/rules";
import { encodeFunctionData, erc20Abi, parseAbi } from "viem";
import type { CallRead } from "../../chain/types.js";
import { cutAnswer } from "../cutAnswer.js";
import { fingerprintReading } from "../fingerprintReading.js";
import { readAccounts } from "../readAccounts.js";
import type { GatherContext, Gathered } from "../types.js";
import { parseSwapSimulation, readSwapSimulation, SWAP_GAS } from "./swapSimulation.js";

const WORD_BYTES = 32;
const quoteAbi = parseAbi(["function getAmountsOut(uint256, address[]) view returns (uint256[])"]);

/** The codes, the sender's means, the call and its simulations: everything in one batch. */
export async function gatherSwapGuard(
  context: GatherContext,
  input: CapabilityInput<"amm.swap.guard">,
): Promise<Gathered<SwapGuardReadings>> {
  const { router, swap } = getSwap(context, input);
  const simulated = encodeSimulatedSwap(swap, input);
  const { from, to, data } = simulated;
  const value = BigInt(input.value);
  const small = encodeSmallSwap(swap, input);
  const smallSwap = small && decodeSwap(small, [router]);
  const isSmallKnown = smallSwap !== null && "swap" in smallSwap;
  const ask = (functionName: "balanceOf" | "allowance"): CallRead => ({
    kind: "call",
    to: swap.tokenIn,
    data:
      functionName === "balanceOf"
        ? encodeFunctionData({ abi: erc20Abi, functionName, args: [from] })
        : encodeFunctionData({ abi: erc20Abi, functionName, args: [from, to] }),
  });
  const smallRead = small && isSmallKnown ? readSwapSimulation(small, smallSwap.swap, true) : undefined;
  const approved = swap.isNativeIn ? undefined : readSwapSimulation(simulated, swap, true);
  const quote = swap.toleratesTransferFees ? readQuote(to, swap) : undefined;
  const optional = [smallRead, approved, quote].filter((read) => read !== undefined);
  const { accounts, others } = await readAccounts(
    context,
    [to, swap.tokenIn, swap.tokenOut].map((address) => ({ address, slots: [] })),
    [
      { kind: "balance", address: from },
      ask("balanceOf"),
      ask("allowance"),
      { kind: "call", from, to, data, value, gas: SWAP_GAS },
      { kind: "gasEstimate", from, to, data, value },
      readSwapSimulation(simulated, swap, false),
      ...optional,
    ] as const,
  );
  const [nativeBalance, tokenBalance, allowance, call, gasEstimate, simulation, ...rest] = others;
  const answerTo = (read: CallRead | undefined): Reading<Hex> | undefined =>
    read && rest[optional.indexOf(read)];
  const [routerCode, tokenInCode, tokenOutCode] = accounts.map(({ code }) => fingerprintReading(code));
  const { number, hash, timestamp } = context.block;
  const parse = (answer: Reading<Hex> | undefined) => (answer ? parseSwapSimulation(answer) : null);
  const quoted = answerTo(quote);
  return {
    readings: {
      block: { number, hash, timestamp },
      router,
      codes: {
        router: routerCode ?? fingerprintReading(),
        tokenIn: tokenInCode ?? fingerprintReading(),
        tokenOut: tokenOutCode ?? fingerprintReading(),
      },
      nativeBalance: mapReading(nativeBalance, toDecimal),
      tokenBalance: cutAnswer(tokenBalance, WORD_BYTES),
      allowance: cutAnswer(allowance, WORD_BYTES),
      call: cutAnswer(call, SWAP_ANSWER_BYTES),
      gasEstimate: mapReading(gasEstimate, toDecimal),
      simulation: parseSwapSimulation(simulation),
      ifApproved: parse(answerTo(approved)),
      small: parse(answerTo(smallRead)),
      quote: quoted ? cutAnswer(quoted, SWAP_ANSWER_BYTES) : null,
    },
  };
}

const toDecimal = (quantity: Hex) => BigInt(quantity).toString();

/** The input was checked before anybody paid; only other settings since then can make it unsupported. */
function getSwap(
  { swapRouters }: GatherContext,
  input: CapabilityInput<"amm.swap.guard">,
): { router: SwapRouter; swap: DecodedSwap } {
  const decoded = decodeSwap(input, swapRouters);
  const router = findSwapRouter(swapRouters, input.to);
  if ("swap" in decoded && router) return { router, swap: decoded.swap };
  const fields = "unsupported" in decoded ? [decoded.unsupported] : [];
  throw new AssayError("invalid_input", "The swap is not supported.", { fields });
}

/** What the pools alone would give for the input, whatever the tokens keep of it. */
function readQuote(router: Hex, { amountIn, tokenIn, hops }: DecodedSwap): CallRead {
  const path = [tokenIn, ...hops.map(({ tokenOut }) => tokenOut)];
  const data = encodeFunctionData({ abi: quoteAbi, functionName: "getAmountsOut", args: [amountIn, path] });
  return { kind: "call", to: router, data };
}
