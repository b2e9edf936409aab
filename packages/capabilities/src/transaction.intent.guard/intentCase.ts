import type { Hex } from "@assay/protocol";
import { size } from "viem";
import { type DecodedSwap, decodeSwap, findSwapRouter } from "../shared/swaps/decodeSwap.js";
import type { SwapRouter } from "../shared/swaps/swapRouters.js";
import { classifyIntent, type IntentClass } from "./classifyIntent.js";
import { type DecodedCall, type DecodedCalldata, decodeCalls } from "./decodeCalls.js";
import type { TransactionIntentInput } from "./input.js";
import { type ListedActs, listActs } from "./listActs.js";
import { type MeasurementPlan, planMeasurements } from "./planMeasurements.js";
import { type Effects, readEffects } from "./readEffects.js";
import type { TransactionIntentReadings } from "./readings.js";
import { readTrace, type TracedEffects } from "./readTrace.js";

type Input = TransactionIntentInput;

/** What calldata alone shows about a transaction, and which reads follow from it. */
export interface TransactionPlan {
  readonly decoded: DecodedCalldata;
  readonly listed: ListedActs;
  readonly measurements: MeasurementPlan;
  /** The one swap of a transaction to a supported router, which is then judged as such. */
  readonly swap: { readonly router: SwapRouter; readonly decoded: DecodedSwap } | null;
  /** Addresses of the supported routers. */
  readonly routers: ReadonlySet<Hex>;
}

/** Pure, so that the gatherer and the rule make the same plan. */
export function planTransaction(input: Input, swapRouters: readonly SwapRouter[]): TransactionPlan {
  const decoded = decodeCalls(input);
  const routers = new Set(swapRouters.map(({ address }) => address));
  const listed = listActs(decoded.call, routers);
  const isOpaque = listed.unknownCalls.length > 0 || decoded.undecodedBytes > 0;
  const router = findSwapRouter(swapRouters, input.to);
  const found = router && decodeSwap(input, [router]);
  return {
    decoded,
    listed,
    measurements: planMeasurements(input, listed.acts, isOpaque),
    swap: router && found && "swap" in found ? { router, decoded: found.swap } : null,
    routers,
  };
}

/** A transaction with everything known about it, as the judging functions take it. */
export interface IntentCase extends TransactionPlan {
  readonly input: Input;
  readonly readings: TransactionIntentReadings;
  readonly effects: Effects | null;
  readonly traced: TracedEffects | null;
  readonly intent: IntentClass;
  readonly hasData: boolean;
  readonly calls: readonly DecodedCall[];
}

export function openIntentCase(input: Input, readings: TransactionIntentReadings): IntentCase {
  const plan = planTransaction(input, readings.swapRouters);
  const { listed, measurements, decoded } = plan;
  return {
    ...plan,
    input,
    readings,
    effects: readEffects(input.from, measurements, readings),
    traced: readTrace(measurements, readings),
    intent: classifyIntent(listed.acts, listed.unknownCalls.length > 0),
    hasData: size(input.data) > 0,
    calls: flatten(decoded.call),
  };
}

function flatten(call: DecodedCall): DecodedCall[] {
  return [call, ...call.inner.flatMap(flatten)];
}

type CodeKind = "account" | "contract" | "unread";

/** A delegated account (EIP-7702) is still controlled by one key. */
export function codeKindOf({ input, readings }: IntentCase, address: Hex): CodeKind {
  const code =
    address === input.to
      ? readings.target.code
      : address === input.from
        ? readings.senderCode
        : readings.counterparties.find((one) => one.address === address)?.code;
  if (code?.status !== "value") return "unread";
  return code.value.form === "empty" || code.value.form === "eip7702_delegation" ? "account" : "contract";
}
