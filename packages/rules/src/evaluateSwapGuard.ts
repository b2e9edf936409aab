import type { CapabilityInput, Reading, Verdict } from "@assay/protocol";
import type { Evaluation } from "./evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";
import { decodeQuotedAmount, decodeReturnedAmounts, type SwapAmounts } from "./swap/decodeReturnedAmounts.js";
import { type DecodedSwap, decodeSwap } from "./swap/decodeSwap.js";
import { encodeSmallSwap } from "./swap/encodeSmallSwap.js";
import { type ExecutionCode, judgeExecution } from "./swap/judgeExecution.js";
import { judgeLimits, type LimitCode, TOLERANCE_BPS } from "./swap/judgeLimits.js";
import { type ImpactCode, judgePriceImpact } from "./swap/judgePriceImpact.js";
import { judgeRoute, type RouteCode } from "./swap/judgeRoute.js";
import { judgeTransferFee, type TransferFeeCode } from "./swap/judgeTransferFee.js";
import { type MeasuredSwap, measureSwap } from "./swap/measureSwap.js";
import type { SimulatedSwap, SwapGuardReadings } from "./swapGuardReadings.js";

export const swapGuardRule = { id: "amm.swap.guard", version: "1.0.0" } as const;

type CodeCode = "CODE_UNREAD" | "ROUTER_HAS_NO_CODE" | "TOKEN_HAS_NO_CODE";
export type SwapGuardCode =
  | CodeCode
  | RouteCode
  | LimitCode
  | ImpactCode
  | TransferFeeCode
  | ExecutionCode
  | "FUNDS_LEFT_IN_ROUTER";

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs the swap simulated with a limit
 * near its result, the output going to the sender, and every reading answered.
 */
export const swapGuardVerdicts: Readonly<Record<SwapGuardCode, Verdict>> = {
  LIMIT_WITHIN_TOLERANCE: "allow",
  // Told, not held against it: some functions have none, and the limit still stands.
  DEADLINE_ABSENT: "allow",

  RECIPIENT_NOT_SENDER: "review",
  DEADLINE_FAR: "review",
  MIN_OUT_BELOW_TOLERANCE: "review",
  MAX_IN_ABOVE_TOLERANCE: "review",
  // Good for the next block and no other.
  BLOCK_HASH_BOUND: "review",
  PRICE_IMPACT: "review",
  PRICE_IMPACT_UNMEASURED: "review",
  FEE_ON_TRANSFER_UNSUPPORTED_FN: "review",
  TRANSFER_FEE: "review",
  // Asked, and not or not usably answered.
  CODE_UNREAD: "review",
  SWAP_UNREAD: "review",
  SIMULATION_UNAVAILABLE: "review",
  SIMULATION_DISAGREES: "review",

  // It would fail now.
  SWAP_REVERTS: "block",
  ALLOWANCE_TOO_LOW: "block",
  BALANCE_TOO_LOW: "block",
  DEADLINE_PASSED: "block",
  BLOCK_HASH_PASSED: "block",
  GAS_ABOVE_CAP: "block",
  ROUTER_HAS_NO_CODE: "block",
  TOKEN_HAS_NO_CODE: "block",
  // It would lose what it need not.
  MIN_OUT_ZERO: "block",
  MIN_OUT_NEGLIGIBLE: "block",
  MAX_IN_UNBOUNDED: "block",
  RECEIVED_BELOW_MINIMUM: "block",
  PRICE_IMPACT_SEVERE: "block",
  TRANSFER_FEE_SEVERE: "block",
  OUTPUT_UNREACHABLE: "block",
  FUNDS_LEFT_IN_ROUTER: "block",
};

const ALWAYS = [
  "Simulated on the state of the stated block, alone; the transactions before it in its own block are not known.",
  "It does not inspect pending transactions, choose a route, protect against MEV, predict inclusion or guarantee execution.",
  "Routers are known by the addresses in the service's settings, and pools by what the calldata names; their code is not judged.",
  "Price impact is measured against a hundredth of the same swap through the same pools, not against other markets.",
  "State proofs cover the code of the router and of both tokens; simulated results are calls, as the node gave them.",
];

/** Judges a prepared swap by its calldata and by what it does when simulated. Throws for one that cannot be decoded. */
export function evaluateSwapGuard(
  input: CapabilityInput<"amm.swap.guard">,
  readings: SwapGuardReadings,
): Evaluation {
  const swap = getSwap(input, readings);
  const measured = measureAll(input, swap, readings);
  const execution = judgeExecution(swap, input.value, readings, measured);
  const returned = findReturned(swap, readings);
  // The best that is known of the outcome: measured, measured after an approval, or as the router says.
  const outcome = measured.whole ?? measured.ifApproved;
  const given = outcome ?? (returned && { paid: returned.amountIn, received: returned.amountOut });
  const promised = swap.toleratesTransferFees ? findQuoted(readings) : (returned?.amountOut ?? null);
  const fee = outcome && promised !== null ? judgeTransferFee(swap, promised, outcome.received) : null;
  const impact = outcome && judgePriceImpact(swap, outcome, measured.small);
  const notes: Note<SwapGuardCode>[] = [
    ...noteCodes(readings),
    ...judgeRoute(swap, input, readings.block),
    ...execution.notes,
    ...judgeLimits(swap, given),
    ...(impact?.notes ?? []),
    ...(fee?.notes ?? []),
    ...(outcome && promised === null ? [unpromised] : []),
    ...noteLeft(measured.whole),
  ];
  return {
    verdict: worstVerdict(notes, swapGuardVerdicts),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${swap.functionName} on ${input.to}: ${decidingSentences(notes, swapGuardVerdicts)}`,
    findings: {
      swap: describeSwap(swap),
      succeeds: execution.succeeds,
      revert: execution.revert,
      gasEstimate: readings.gasEstimate.status === "value" ? readings.gasEstimate.value : null,
      measured: describeMeasured(measured.whole),
      measuredIfApproved: measured.whole ? null : describeMeasured(measured.ifApproved),
      inferred: returned && {
        amountIn: returned.amountIn.toString(),
        amountOut: returned.amountOut.toString(),
      },
      toleranceBps: Number(TOLERANCE_BPS),
      priceImpactBps: impact?.impactBps ?? null,
      transferFeeBps: fee?.feeBps ?? null,
      routerCodeHash: readings.codes.router.status === "value" ? readings.codes.router.value.codeHash : null,
    },
    limitations: unique([...ALWAYS, ...notes.flatMap((note) => note.limitation ?? [])]),
  };
}

const unpromised: Note<"SWAP_UNREAD"> = {
  code: "SWAP_UNREAD",
  limitation: "What the pools alone would give was not told, so transfer fees of the tokens are not known.",
};

function getSwap(input: CapabilityInput<"amm.swap.guard">, { router }: SwapGuardReadings): DecodedSwap {
  const decoded = decodeSwap(input, [router]);
  if ("unsupported" in decoded)
    throw new RangeError(`${decoded.unsupported.field} ${decoded.unsupported.rule}`);
  return decoded.swap;
}

function measureAll(
  input: CapabilityInput<"amm.swap.guard">,
  swap: DecodedSwap,
  { router, simulation, ifApproved, small }: SwapGuardReadings,
) {
  const measure = (of: DecodedSwap, reading: Reading<SimulatedSwap> | null): MeasuredSwap | null =>
    reading?.status === "value" ? measureSwap(of, reading.value) : null;
  const smallCall = encodeSmallSwap(swap, input);
  const smallSwap = smallCall && decodeSwap(smallCall, [router]);
  return {
    whole: measure(swap, simulation),
    ifApproved: measure(swap, ifApproved),
    small: smallSwap && "swap" in smallSwap ? measure(smallSwap.swap, small) : null,
  };
}

/** From the plain call, or else from a simulation of the same calldata. */
function findReturned(
  swap: DecodedSwap,
  { call, simulation, ifApproved }: SwapGuardReadings,
): SwapAmounts | null {
  if (call.status === "value") return decodeReturnedAmounts(swap, call.value);
  const simulated = [simulation, ifApproved].find((one) => one?.status === "value" && one.value.success);
  return simulated?.status === "value" ? decodeReturnedAmounts(swap, simulated.value.returned) : null;
}

const findQuoted = ({ quote }: SwapGuardReadings): bigint | null =>
  quote?.status === "value" ? decodeQuotedAmount(quote.value) : null;

function noteCodes({ codes }: SwapGuardReadings): Note<CodeCode>[] {
  return Object.entries(codes).flatMap(([name, code]): Note<CodeCode>[] => {
    const what = { router: "router", tokenIn: "input token", tokenOut: "output token" }[name];
    if (code.status === "unanswered" || code.status === "reverted")
      return [{ code: "CODE_UNREAD", limitation: `The code of the ${what} was not read: no node answered.` }];
    if (code.status === "value" && code.value.form !== "empty") return [];
    return [{ code: name === "router" ? "ROUTER_HAS_NO_CODE" : "TOKEN_HAS_NO_CODE" }];
  });
}

function noteLeft(measured: MeasuredSwap | null): Note<"FUNDS_LEFT_IN_ROUTER">[] {
  const isLeft = measured !== null && Object.values(measured.left).some((amount) => amount > 0n);
  return isLeft ? [{ code: "FUNDS_LEFT_IN_ROUTER" }] : [];
}

function describeSwap(swap: DecodedSwap): Record<string, unknown> {
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
    deadline: swap.deadline?.toString() ?? null,
    multicall: multicall && { form: multicall.form, beside: multicall.others },
  };
}

function describeMeasured(measured: MeasuredSwap | null): Record<string, unknown> | null {
  if (measured === null) return null;
  const { native, tokenIn, tokenOut } = measured.left;
  return {
    paid: measured.paid.toString(),
    received: measured.received.toString(),
    leftInRouter: { native: native.toString(), tokenIn: tokenIn.toString(), tokenOut: tokenOut.toString() },
  };
}
