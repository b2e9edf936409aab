import { computeConditionId } from "@assay/capabilities/prediction.evidence/conditionState";
import { hashQuestion } from "@assay/capabilities/prediction.evidence/planCondition";
import type { Chain } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import type { PredictionWorld } from "./predictionWorld.js";

/** One situation with what must be said of it. */
export interface PredictionRow {
  readonly name: string;
  readonly hostile: boolean;
  /** A verdict, or the code of an error. */
  readonly verdict:
    | "allow"
    | "review"
    | "block"
    | "web_page_unavailable"
    | "web_target_forbidden"
    | "web_page_unsupported";
  /** Among the reasons given. */
  readonly reasons: readonly string[];
  prepare(world: PredictionWorld): Promise<{ question: string; market: string; through?: Chain }>;
}

export const QUESTION = "Will the lamp of Gull Rock be lit on 1 March 2027?";
export const RULES =
  "This market resolves by the list of lights, as published by the harbour office. It is settled by proposal and dispute.";
/** In the form of UMA's texts; `salt` makes another question of the same words. */
export const textOf = (salt: string, rules = RULES) =>
  `q: title: ${QUESTION}, description: ${rules} Ref ${salt}.`;
export const idOf = (text: string) => hashQuestion(text);

/** An oracle of its own for each row, so that equal questions are different conditions. */
export const withOracle = async (world: PredictionWorld, sample: string, args: readonly unknown[] = []) => {
  const oracle = await world.launcher.deploy(sample, args);
  const questionId = idOf(QUESTION);
  const market = await world.openMarket({ oracle, questionId });
  return { oracle, questionId, market, conditionId: computeConditionId(oracle, questionId, 2n) };
};
export const accountOf = (salt: number): Hex => `0x${salt.toString(16).padStart(40, "ac")}`;
