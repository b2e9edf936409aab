import type { CapabilityInput, Hex } from "@assay/protocol";
import { size } from "viem";
import type { TransactionIntentReadings } from "../transactionIntentReadings.js";
import { classifyIntent, type IntentClass } from "./classifyIntent.js";
import { type DecodedCall, type DecodedCalldata, decodeCalls } from "./decodeCalls.js";
import { type ListedActs, listActs } from "./listActs.js";
import { type MeasurementPlan, planMeasurements } from "./planMeasurements.js";
import { type Effects, readEffects } from "./readEffects.js";

type Input = CapabilityInput<"transaction.intent.guard">;

/** What calldata alone says of a transaction, and what is therefore to be read. */
export interface TransactionPlan {
  readonly decoded: DecodedCalldata;
  readonly listed: ListedActs;
  readonly measurements: MeasurementPlan;
}

/** Pure: the gatherer and the rule come to the same plan. */
export function planTransaction(input: Input): TransactionPlan {
  const decoded = decodeCalls(input);
  const listed = listActs(decoded.call);
  const isOpaque = listed.unknownCalls.length > 0 || decoded.undecodedBytes > 0;
  return { decoded, listed, measurements: planMeasurements(input, listed.acts, isOpaque) };
}

/** A transaction with everything known of it, as the judges see it. */
export interface IntentCase extends TransactionPlan {
  readonly input: Input;
  readonly readings: TransactionIntentReadings;
  readonly effects: Effects | null;
  readonly intent: IntentClass;
  readonly hasData: boolean;
  readonly calls: readonly DecodedCall[];
}

export function openIntentCase(input: Input, readings: TransactionIntentReadings): IntentCase {
  const plan = planTransaction(input);
  const { listed, measurements, decoded } = plan;
  return {
    ...plan,
    input,
    readings,
    effects: readEffects(measurements, readings),
    intent: classifyIntent(listed.acts, listed.unknownCalls.length > 0),
    hasData: size(input.data) > 0,
    calls: flatten(decoded.call),
  };
}

function flatten(call: DecodedCall): DecodedCall[] {
  return [call, ...call.inner.flatMap(flatten)];
}

export type CodeKind = "account" | "contract" | "unread";

/** A delegated account (EIP-7702) obeys one key all the same. */
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
