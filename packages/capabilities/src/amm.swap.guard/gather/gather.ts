import type { CallRead, ChainRead } from "@assay/chain";
import { AssayError, type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import { encodeFunctionData, erc20Abi } from "viem";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { gatherLaunch } from "../../shared/launch/gather/gatherLaunch.js";
import { findParty } from "../../shared/parties/findParty.js";
import { cutAnswer } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { gasPriceAt, needsLoan, priceRead } from "../../shared/simulation/gather/simulatedFees.js";
import { findSpender } from "../../shared/swaps/decodeProgram.js";
import { type DecodedSwap, decodeSwap, findSwapRouter } from "../../shared/swaps/decodeSwap.js";
import { encodeSimulatedSwap } from "../../shared/swaps/encodeSimulatedSwap.js";
import { planSwapReads } from "../../shared/swaps/gather/planSwapReads.js";
import { SWAP_GAS, simulateSwap } from "../../shared/swaps/gather/swapSimulation.js";
import { SWAP_ANSWER_BYTES } from "../../shared/swaps/swapReadings.js";
import type { SwapRouter } from "../../shared/swaps/swapRouters.js";
import type { SwapGuardInput } from "../input.js";
import { listHooks } from "../judgeParties.js";
import type { SwapGuardReadings } from "../readings.js";

const WORD_BYTES = 32;

/**
 * The codes, the sender's balances and allowance, the call and its simulations, all in one batch. What runs
 * is read a second time, with ether lent to it, only for a sender that cannot pay for the gas. The token that is bought is
 * read beside it as token.launch.guard reads it, in three batches.
 */
async function gatherSwapGuard(
  context: GatherContext,
  input: SwapGuardInput,
): Promise<Gathered<SwapGuardReadings>> {
  const { router, swap } = getSwap(context, input);
  const simulated = encodeSimulatedSwap(swap, input);
  const { from, to, data } = simulated;
  // A plain call leaves the sender without code, so that signatures in a program are judged as they will be.
  const sent = swap.program ? (input.data as Hex) : data;
  const value = BigInt(input.value);
  const ask = (functionName: "balanceOf" | "allowance"): CallRead => ({
    kind: "call",
    to: swap.tokenIn,
    data:
      functionName === "balanceOf"
        ? encodeFunctionData({ abi: erc20Abi, functionName, args: [from] })
        : encodeFunctionData({ abi: erc20Abi, functionName, args: [from, findSpender(swap, to)] }),
  });
  const outcome = planSwapReads({ router, decoded: swap }, input);
  const approved = swap.isNativeIn
    ? null
    : simulateSwap(simulated, swap, { withApproval: true, withResale: true });
  const gasPrice = gasPriceAt(context.block);
  const runs: readonly ChainRead[] = [
    { kind: "call", from, to, data: sent, value, gas: SWAP_GAS },
    { kind: "gasEstimate", from, to, data: sent, value },
    ...outcome.reads,
    ...(approved ? [approved.read] : []),
  ];
  const judged = listQuotes(context).includes(swap.tokenOut) || context.skipsBoughtTokens;
  const bought = judged ? null : gatherLaunch(context, swap.tokenOut);
  // Awaited last; a failure of it must not be unhandled while the rest is read.
  bought?.catch(() => undefined);
  const { accounts, others } = await readAccounts(
    context,
    [to, swap.tokenIn, swap.tokenOut].map((address) => ({ address, slots: [] })),
    [
      { kind: "balance", address: from },
      ask("balanceOf"),
      ask("allowance"),
      ...runs.map((read) => priceRead(read, gasPrice)),
    ],
  );
  const [nativeBalance = noAnswer, tokenBalance, allowance, ...once] = others as readonly Reading<Hex>[];
  const isPoor = nativeBalance.status === "value" && needsLoan(BigInt(nativeBalance.value), value, gasPrice);
  const [call, gasEstimate = noAnswer, ...rest] = (
    isPoor
      ? await context.chain.readAt(
          context.block,
          runs.map((read) => priceRead(read, gasPrice, { heldWei: BigInt(nativeBalance.value) })),
        )
      : once
  ) as readonly Reading<Hex>[];
  const [routerCode, tokenInCode, tokenOutCode] = accounts.map(({ code }) => fingerprintReading(code));
  const { number, hash, timestamp } = context.block;
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
      ...outcome.parse(rest),
      ifApproved: approved ? approved.parse(rest[outcome.reads.length] ?? noAnswer) : null,
      hooks: listHooks(swap).map((address) => {
        const party = findParty(address);
        return { address, knownAs: party?.role === "hook" ? party.name : null };
      }),
      bought: bought ? (await bought).readings : null,
    },
  };
}

/** Tokens that others are quoted in are not launches. */
const listQuotes = ({ launchVenues: { weth, stablecoin, quotes } }: GatherContext): readonly Hex[] => [
  weth,
  stablecoin,
  ...quotes.map(({ address }) => address),
];

const toDecimal = (quantity: Hex) => BigInt(quantity).toString();

/** The input was checked before anybody paid; only other settings since then can make it unsupported. */
function getSwap(
  { swapRouters }: GatherContext,
  input: SwapGuardInput,
): { router: SwapRouter; swap: DecodedSwap } {
  const decoded = decodeSwap(input, swapRouters);
  const router = findSwapRouter(swapRouters, input.to);
  if ("swap" in decoded && router) return { router, swap: decoded.swap };
  const fields = "unsupported" in decoded ? [decoded.unsupported] : [];
  throw new AssayError("invalid_input", "The swap is not supported.", { fields });
}

export const gatherer: Gatherer<SwapGuardInput, SwapGuardReadings> = {
  gather: gatherSwapGuard,
  checkInput(input, { swapRouters }) {
    const decoded = decodeSwap(input, swapRouters);
    return "unsupported" in decoded ? [decoded.unsupported] : [];
  },
};
