import type { DecodedSwap } from "./decodeSwap.js";
import { TOLERANCE_BPS } from "./judgeLimits.js";
import type { JudgedSwap } from "./judgeSwap.js";
import type { MeasuredSwap } from "./measureSwap.js";

/** What the calldata says of a swap. */
export function describeSwap(swap: DecodedSwap) {
  const { kind, amountIn, amountOut, multicall } = swap;
  const isExactIn = kind === "exactIn";
  return {
    family: swap.family,
    router: swap.routerKind,
    function: swap.functionName,
    kind,
    path: [swap.tokenIn, ...swap.hops.map(({ tokenOut }) => tokenOut)],
    hops: swap.hops,
    tokenIn: { address: swap.tokenIn, isNative: swap.isNativeIn },
    tokenOut: { address: swap.tokenOut, isNative: swap.isNativeOut },
    amountIn: isExactIn ? amountIn.toString() : null,
    maxIn: isExactIn ? null : amountIn.toString(),
    amountOut: isExactIn ? null : amountOut.toString(),
    minOut: isExactIn ? amountOut.toString() : null,
    recipient: swap.recipient,
    otherRecipients: swap.otherRecipients,
    ...(swap.program && { portions: swap.program.portions, strays: swap.program.strays }),
    permissions: swap.permissions,
    deadline: swap.deadline?.toString() ?? null,
    multicall: multicall && { form: multicall.form, beside: multicall.others },
  };
}

/** What was measured of it, what the router says, and what follows. */
export function describeJudgement({ measured, returned, impactBps, feeBps, resale, market }: JudgedSwap) {
  return {
    measured: describeMeasured(measured.whole),
    measuredIfApproved: measured.whole ? null : describeMeasured(measured.ifApproved),
    inferred: returned && {
      amountIn: returned.amountIn.toString(),
      amountOut: returned.amountOut.toString(),
    },
    toleranceBps: Number(TOLERANCE_BPS),
    priceImpactBps: impactBps,
    transferFeeBps: feeBps,
    resale,
    market,
  };
}

function describeMeasured(measured: MeasuredSwap | null) {
  if (measured === null) return null;
  const { native, tokenIn, tokenOut, others } = measured.left;
  return {
    paid: measured.paid.toString(),
    received: measured.received.toString(),
    leftInRouter: {
      native: native.toString(),
      tokenIn: tokenIn.toString(),
      tokenOut: tokenOut.toString(),
      others: others.toString(),
    },
    lost: measured.lost.map(({ token, amount }) => ({ token, amount: amount.toString() })),
  };
}
