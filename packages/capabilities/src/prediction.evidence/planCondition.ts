import type { Hex, Reading } from "@assay/protocol";
import { keccak256, stringToBytes, zeroAddress } from "viem";
import { parseOwner } from "../shared/control/listControllers.js";
import { isZeroWord } from "../shared/proxies/resolveImplementation.js";
import { isMarketAddress, type PredictionEvidenceInput } from "./input.js";
import type { MarketReadings } from "./readings.js";

export interface ConditionPlan {
  /** The contract that keeps the condition; null where none is named. */
  readonly tokens: Hex | null;
  readonly conditionId: Hex | null;
  /** Whom the market names as its oracle. */
  readonly oracle: Hex | null;
  /** As the market names it, otherwise as it would be if it were made from the question that was asked. */
  readonly questionId: Hex;
  readonly isQuestionIdNamed: boolean;
  readonly collateral: Hex | null;
  /** Whether the caller named the condition itself, in a contract that keeps conditions. */
  readonly isConditionAsked: boolean;
}

type Asked = Pick<PredictionEvidenceInput, "question" | "market">;

/** Where a market's own answers lead. Readers and the rule follow them by this one function. */
export function planCondition({ question, market }: Asked, readings: MarketReadings): ConditionPlan {
  const asked = findAskedId(question);
  const named = addressIn(readings.conditionalTokens);
  // A contract that names no other keeper of its tokens may be the keeper; then the caller says which condition.
  const isKeeper = named === null && isSilent(readings.conditionalTokens);
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

/** The id that was asked about, where an id was given in place of words. */
export function findAskedId(question: string): Hex | null {
  return /^0x[0-9a-fA-F]{64}$/.test(question) ? (question.toLowerCase() as Hex) : null;
}

/** As contracts that keep no text make a question's id: from its bytes in UTF-8. */
export const hashQuestion = (question: string): Hex => keccak256(stringToBytes(question));

/** Nothing was returned, or the contract refused: there is no such function. */
const isSilent = (answer: Reading<Hex>): boolean =>
  answer.status === "absent" || answer.status === "reverted";

function addressIn(answer: Reading<Hex>): Hex | null {
  const parsed = parseOwner(answer);
  return parsed.status === "named" ? parsed.address : null;
}

/** A condition may be made with the zero address for an oracle, and then nobody can ever report on it. */
function oracleIn(answer: Reading<Hex>): Hex | null {
  return parseOwner(answer).status === "nobody" ? zeroAddress : addressIn(answer);
}

/** One word that is not zero. */
export function idIn(answer: Reading<Hex> | undefined): Hex | null {
  if (answer?.status !== "value" || answer.value.length !== 66 || isZeroWord(answer.value)) return null;
  return answer.value.toLowerCase() as Hex;
}
