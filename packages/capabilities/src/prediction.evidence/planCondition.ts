import type { Hex, Reading } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { stringToBytes, zeroAddress } from "viem";
import { parseOwner } from "../shared/control/listControllers.js";
import { isZeroWord } from "../shared/words/addressInWord.js";
import { isMarketAddress, type PredictionEvidenceInput } from "./input.js";
import type { MarketReadings } from "./readings.js";

export interface ConditionPlan {
  /** The contract that keeps the condition; null where none is named. */
  readonly tokens: Hex | null;
  readonly conditionId: Hex | null;
  /** The address that the market names as its oracle. */
  readonly oracle: Hex | null;
  /** As the market names it, otherwise the id that follows from the question that was asked. */
  readonly questionId: Hex;
  readonly isQuestionIdNamed: boolean;
  readonly collateral: Hex | null;
  /** Whether the caller named the condition itself, in a contract that keeps conditions. */
  readonly isConditionAsked: boolean;
}

type Asked = Pick<PredictionEvidenceInput, "question" | "market">;

/** The contracts and ids that a market's own answers lead to. The gatherer and the rule both use this function. */
export function planCondition({ question, market }: Asked, readings: MarketReadings): ConditionPlan {
  const asked = findAskedId(question);
  const named = addressIn(readings.conditionalTokens);
  // A contract that names no keeper of its tokens may be the keeper itself. Then the caller names the condition.
  const isKeeper = named === null && lacksFunction(readings.conditionalTokens);
  const isConditionAsked = isKeeper && asked !== null && isMarketAddress(market);
  const ownQuestion = idIn(readings.questionId);
  return {
    tokens: isConditionAsked ? market : named,
    conditionId: isConditionAsked ? asked : (idIn(readings.conditionId) ?? idIn(readings.conditionIds[0])),
    oracle: oracleIn(readings.oracle),
    questionId: ownQuestion ?? asked ?? hashQuestion(question),
    isQuestionIdNamed: ownQuestion !== null,
    collateral: addressIn(readings.collateralToken),
    isConditionAsked,
  };
}

/** The id that was asked about, where the question is an id and not words. */
export function findAskedId(question: string): Hex | null {
  return /^0x[0-9a-fA-F]{64}$/.test(question) ? (question.toLowerCase() as Hex) : null;
}

/** A question's id in contracts that keep no text: the hash of its UTF-8 bytes. */
export const hashQuestion = (question: string): Hex => keccak256(stringToBytes(question));

/** Nothing was returned, or the contract refused: there is no such function. */
const lacksFunction = (answer: Reading<Hex>): boolean =>
  answer.status === "absent" || answer.status === "reverted";

function addressIn(answer: Reading<Hex>): Hex | null {
  const parsed = parseOwner(answer);
  return parsed.status === "named" ? parsed.address : null;
}

/** Null for no oracle. A condition may have the zero address as its oracle, and then nobody can ever report on it. */
function oracleIn(answer: Reading<Hex>): Hex | null {
  return parseOwner(answer).status === "nobody" ? zeroAddress : addressIn(answer);
}

/** One word that is not zero. */
export function idIn(answer: Reading<Hex> | undefined): Hex | null {
  if (answer?.status !== "value" || answer.value.length !== 66 || isZeroWord(answer.value)) return null;
  return answer.value.toLowerCase() as Hex;
}
