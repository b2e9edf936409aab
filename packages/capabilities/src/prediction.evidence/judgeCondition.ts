import {
  areSameState,
  type ConditionState,
  computeConditionId,
  isKnownTokens,
  readAnsweredState,
  readStoredState,
} from "./conditionState.js";
import type { ConditionPlan } from "./planCondition.js";
import { type ConditionReadings, MAX_OUTCOMES_READ } from "./readings.js";
import type { Judgement, PredictionNote } from "./reasons.js";

/** Whether the condition's id confirms the oracle that the market names. */
export type OracleLink = "verified" | "mismatch" | "unconfirmed" | "unnamed" | "unread";

export interface ConditionJudgement extends Judgement {
  readonly state: ConditionState | null;
  /** Whether the published code keeps it. That code accepts reports only from the oracle in the condition's id. */
  readonly isTokensKnown: boolean;
  readonly isResolved: boolean;
  readonly link: OracleLink;
}

/** Judges the recorded state of the condition, and whether its id confirms the oracle that the market names. */
export function judgeCondition(plan: ConditionPlan, readings: ConditionReadings | null): ConditionJudgement {
  const isOurs =
    readings !== null && readings.address === plan.tokens && readings.conditionId === plan.conditionId;
  if (!isOurs) return { ...NOTHING, notes: [unread("the condition")] };
  const { code } = readings;
  if (code.status === "absent" || (code.status === "value" && code.value.form === "empty"))
    return { ...NOTHING, notes: [{ code: "CONDITION_NOT_PREPARED" }] };
  const { state, notes } = readState(readings);
  if (state === null) return { ...NOTHING, notes };
  if (state.outcomeSlotCount === 0n)
    return { ...NOTHING, state, notes: [...notes, { code: "CONDITION_NOT_PREPARED" }] };
  const link = findLink(plan, state);
  return {
    state,
    link,
    isTokensKnown: isKnownTokens(readings),
    isResolved: state.payoutDenominator > 0n,
    notes: [...notes, ...notePayouts(state), ...noteLink(link)],
    known: describeState(plan, readings, state, link),
  };
}

const NOTHING = { state: null, isTokensKnown: false, isResolved: false, link: "unread", known: [] } as const;

const unread = (what: string): PredictionNote => ({
  code: "CONDITION_STATE_UNREAD",
  limitation: `Not read: ${what}.`,
});

/** With the published code the storage decides, and the answers must agree with it. Other code has only its answers. */
function readState(readings: ConditionReadings): { state: ConditionState | null; notes: PredictionNote[] } {
  const answered = readAnsweredState(readings);
  if (readings.code.status !== "value")
    return { state: null, notes: [unread("the code of the contract that keeps the condition")] };
  if (!isKnownTokens(readings)) {
    const notes: PredictionNote[] = [
      {
        code: "CONDITIONAL_TOKENS_UNKNOWN",
        limitation: `The code of ${readings.address} is not the published one: that only the oracle can report is not known.`,
      },
    ];
    if (answered.status === "value") return { state: answered.value, notes };
    return { state: null, notes: [...notes, unread("what the contract answers about the condition")] };
  }
  const notes: PredictionNote[] = [{ code: "CONDITIONAL_TOKENS_KNOWN" }];
  const stored = readStoredState(readings);
  if (stored.status !== "value" || answered.status === "unanswered")
    notes.push(unread("all of the condition's storage and the contract's answers about it"));
  else if (answered.status !== "value" || !areSameState(stored.value, answered.value))
    notes.push({ code: "CONDITION_STATE_CONFLICTS" });
  return { state: stored.status === "value" ? stored.value : null, notes };
}

function notePayouts(state: ConditionState): PredictionNote[] {
  const { outcomeSlotCount, payoutDenominator, payoutNumerators } = state;
  const sum = payoutNumerators.reduce((total, one) => total + one, 0n);
  const isWhole = outcomeSlotCount <= BigInt(MAX_OUTCOMES_READ);
  const notes: PredictionNote[] = isWhole
    ? []
    : [unread(`the payouts of more than the first ${MAX_OUTCOMES_READ} of ${outcomeSlotCount} outcomes`)];
  const adds = isWhole ? sum === payoutDenominator : sum <= payoutDenominator;
  if (!adds) return [...notes, { code: "PAYOUTS_INCONSISTENT" }];
  return [...notes, { code: payoutDenominator > 0n ? "PAYOUTS_REPORTED" : "PAYOUTS_NOT_REPORTED" }];
}

function findLink(
  { oracle, questionId, conditionId, isQuestionIdNamed }: ConditionPlan,
  state: ConditionState,
): OracleLink {
  if (oracle === null) return "unnamed";
  if (computeConditionId(oracle, questionId, state.outcomeSlotCount) === conditionId) return "verified";
  return isQuestionIdNamed ? "mismatch" : "unconfirmed";
}

function noteLink(link: OracleLink): PredictionNote[] {
  if (link === "verified") return [{ code: "CONDITION_RECOMPUTED" }];
  if (link === "mismatch") return [{ code: "CONDITION_MISMATCH" }, { code: "DECIDER_UNKNOWN" }];
  const limitation =
    link === "unnamed"
      ? "The market names no oracle. A condition's id is a hash of it, from which the oracle cannot be derived; the event that created the condition was not searched for."
      : "The market names an oracle and no question id; the condition's id does not follow from that oracle and the question that was asked.";
  return [{ code: "DECIDER_UNKNOWN", limitation }];
}

function describeState(
  { conditionId, oracle }: ConditionPlan,
  readings: ConditionReadings,
  state: ConditionState,
  link: OracleLink,
): string[] {
  const { outcomeSlotCount, payoutDenominator, payoutNumerators } = state;
  const payouts = `[${payoutNumerators.join(", ")}${outcomeSlotCount > BigInt(payoutNumerators.length) ? ", …" : ""}]`;
  // Only the published code is known to accept reports solely from the oracle in the condition's id.
  const isReported = link === "verified" && isKnownTokens(readings);
  const record = isReported
    ? `The oracle ${oracle} reported payouts ${payouts} over ${payoutDenominator}.`
    : `Payouts ${payouts} over ${payoutDenominator} are on record; who reported them is not known.`;
  return [
    `The condition is ${conditionId}, kept by ${readings.address}, with ${outcomeSlotCount} outcome slots.`,
    payoutDenominator > 0n ? record : "The denominator of the payouts is zero: nothing has been reported.",
  ];
}
