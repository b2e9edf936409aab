import { type Hex, keccak256, mapReading, type Reading, unanswered } from "@assay/protocol";
import { concat, encodePacked, numberToHex } from "viem";
import { type ConditionReadings, MAX_OUTCOMES_READ } from "./readings.js";

/**
 * The conditional-token contracts as published (version 1.0.3), without the compiler's metadata. They take no argument and
 * have no immutables, so every deployment of the published build has this code, and its storage is laid out as below.
 */
export const CONDITIONAL_TOKENS_CODE_HASH: Hex =
  "0x2f83d5868c6f86b9ec3d5eaefedf3c0c827daee91dba09bee41ed6fa3c954986";

/** Positions of `payoutNumerators` and `payoutDenominator`, behind ERC-165's and ERC-1155's mappings. */
const NUMERATORS_POSITION = 3;
const DENOMINATOR_POSITION = 4;

interface ConditionSlots {
  readonly outcomeSlotCount: Hex;
  readonly payoutDenominator: Hex;
  readonly payoutNumerators: readonly Hex[];
}

/** Where the published code keeps a condition: a dynamic array's length and elements, and a number. */
export function listConditionSlots(conditionId: Hex): ConditionSlots {
  const inMapping = (position: number) =>
    keccak256(concat([conditionId, numberToHex(position, { size: 32 })]));
  const outcomeSlotCount = inMapping(NUMERATORS_POSITION);
  const first = BigInt(keccak256(outcomeSlotCount));
  const payoutNumerators = Array.from({ length: MAX_OUTCOMES_READ }, (_, index) =>
    numberToHex(BigInt.asUintN(256, first + BigInt(index)), { size: 32 }),
  );
  return { outcomeSlotCount, payoutDenominator: inMapping(DENOMINATOR_POSITION), payoutNumerators };
}

export interface ConditionState {
  readonly outcomeSlotCount: bigint;
  readonly payoutDenominator: bigint;
  /** For the outcomes that were read, at most sixteen. */
  readonly payoutNumerators: readonly bigint[];
}

export const isKnownTokens = ({ code }: ConditionReadings): boolean =>
  code.status === "value" && code.value.strippedCodeHash === CONDITIONAL_TOKENS_CODE_HASH;

/** The state in storage, if the code is the published one, whose storage layout is known. */
export function readStoredState({ storage }: ConditionReadings): Reading<ConditionState> {
  const { outcomeSlotCount, payoutDenominator, payoutNumerators } = storage;
  const all = [outcomeSlotCount, payoutDenominator, ...payoutNumerators];
  const words = all.flatMap((one) => (one.status === "value" ? [BigInt(one.value)] : []));
  if (words.length < all.length) return unanswered("slot_unread");
  return { status: "value", value: toState(words) };
}

/** The state according to the contract's own answers. */
export function readAnsweredState({ answers }: ConditionReadings): Reading<ConditionState> {
  const words = answers.status === "value" ? (answers.value.slice(2).match(/.{64}/g) ?? []) : [];
  const numbers = words.map((digits) => BigInt(`0x${digits}`));
  if (answers.status === "value" && !isWhole(numbers)) return unanswered("malformed_answer");
  return mapReading(answers, () => toState(numbers));
}

const countRead = (outcomeSlotCount: bigint): number =>
  outcomeSlotCount > BigInt(MAX_OUTCOMES_READ) ? MAX_OUTCOMES_READ : Number(outcomeSlotCount);

const isWhole = (words: readonly bigint[]): boolean =>
  words[0] !== undefined && words.length === 2 + countRead(words[0]);

function toState([
  outcomeSlotCount = 0n,
  payoutDenominator = 0n,
  ...numerators
]: readonly bigint[]): ConditionState {
  const payoutNumerators = numerators.slice(0, countRead(outcomeSlotCount));
  return { outcomeSlotCount, payoutDenominator, payoutNumerators };
}

export function areSameState(one: ConditionState, other: ConditionState): boolean {
  return (
    one.outcomeSlotCount === other.outcomeSlotCount &&
    one.payoutDenominator === other.payoutDenominator &&
    one.payoutNumerators.join() === other.payoutNumerators.join()
  );
}

/** As the conditional-token contracts compute it: keccak256(oracle ‖ question id ‖ outcome slots). */
export function computeConditionId(oracle: Hex, questionId: Hex, outcomeSlotCount: bigint): Hex {
  return keccak256(encodePacked(["address", "bytes32", "uint256"], [oracle, questionId, outcomeSlotCount]));
}
