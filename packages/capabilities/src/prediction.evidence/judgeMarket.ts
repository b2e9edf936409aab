import type { Hex, Reading } from "@assay/protocol";
import { noteCodeForm } from "../shared/code/noteCodeForm.js";
import type { KnownSlot } from "../shared/proxies/knownSlots.js";
import { isAddressWord, isZeroWord } from "../shared/words/addressInWord.js";
import { type ConditionPlan, idIn } from "./planCondition.js";
import type { MarketChainReadings, MarketReadings } from "./readings.js";
import type { Judgement, PredictionNote } from "./reasons.js";

/** Judges whether there is a market at the address, and whether its answers agree about its subject. */
export function judgeMarket({ market, collateral }: MarketChainReadings, plan: ConditionPlan): Judgement {
  const { code } = market;
  if (code.status === "absent" || (code.status === "value" && code.value.form === "empty"))
    return { notes: [{ code: "NO_CODE" }], known: [] };
  return {
    notes: [
      ...noteCodeForm(code.status === "value" ? code.value : null, false),
      ...noteSlots(market.slots, "market", "MARKET_UPGRADEABLE"),
      ...noteAnswers(market, plan),
      ...noteCollateral(collateral, plan),
    ],
    known: plan.collateral === null ? [] : [`The market names ${plan.collateral} as its collateral token.`],
  };
}

/** Whether a proxy slot lets someone replace the code of the contract `whose`. */
export function noteSlots(
  slots: Readonly<Partial<Record<KnownSlot, Reading<Hex>>>>,
  whose: string,
  upgradeable: "MARKET_UPGRADEABLE" | "ORACLE_UPGRADEABLE",
): PredictionNote[] {
  const entries = Object.entries(slots);
  const unread = entries.filter(([, word]) => word.status !== "value").map(([name]) => name);
  const isSet = entries.some(([, word]) => word.status === "value" && !isZeroWord(word.value));
  return [
    ...(unread.length > 0
      ? [
          {
            code: "SLOT_UNREAD",
            limitation: `Storage slots of the ${whose} not read: ${unread.join(", ")}.`,
          } as const,
        ]
      : []),
    ...(isSet ? [{ code: upgradeable }] : []),
  ];
}

const ADDRESSES = ["conditionalTokens", "oracle", "collateralToken"] as const;
const IDS = ["conditionId", "questionId"] as const;

function noteAnswers(market: MarketReadings, plan: ConditionPlan): PredictionNote[] {
  const answers = [
    ...ADDRESSES.map((name) => ({ name: `${name}()`, answer: market[name], isFit: isAddressWord })),
    ...IDS.map((name) => ({ name: `${name}()`, answer: market[name], isFit: isWord })),
    ...market.conditionIds.map((answer, index) => ({
      name: `conditionIds(${index})`,
      answer,
      isFit: isWord,
    })),
  ];
  const unread = answers.filter(({ answer }) => answer.status === "unanswered");
  const malformed = answers.filter(({ answer, isFit }) => answer.status === "value" && !isFit(answer.value));
  const namesOf = (some: typeof answers) => some.map(({ name }) => name).join(", ");
  const notes: PredictionNote[] = [];
  if (unread.length > 0)
    notes.push({ code: "MARKET_UNREAD", limitation: `Not read: ${namesOf(unread)} of the market.` });
  if (malformed.length > 0)
    notes.push({
      code: "MARKET_ANSWER_MALFORMED",
      limitation: `Answered with something else than one address or id: ${namesOf(malformed)} of the market.`,
    });
  if (plan.tokens === null || plan.conditionId === null)
    notes.push({
      code: "MARKET_NOT_RECOGNISED",
      limitation:
        "A market is known by conditionalTokens() and conditionId() or conditionIds(0). Of a contract that keeps conditions itself, ask with the condition's id in place of the question.",
    });
  else if (!plan.isConditionAsked && namesSeveral(market, plan.conditionId))
    notes.push({
      code: "CONDITION_AMBIGUOUS",
      limitation: `Only the condition ${plan.conditionId} was read.`,
    });
  return notes;
}

const isWord = (value: Hex): boolean => value.length === 66;

function namesSeveral({ conditionIds }: MarketReadings, conditionId: Hex): boolean {
  const [first, second] = conditionIds.map(idIn);
  return second != null || (first != null && first !== conditionId);
}

function noteCollateral(
  collateral: MarketChainReadings["collateral"],
  plan: ConditionPlan,
): PredictionNote[] {
  if (plan.collateral === null || plan.tokens === null || plan.conditionId === null) return [];
  const code = collateral?.address === plan.collateral ? collateral.code : null;
  if (code?.status === "absent" || (code?.status === "value" && code.value.form === "empty"))
    return [{ code: "COLLATERAL_HAS_NO_CODE" }];
  return code?.status === "value" ? [] : [{ code: "COLLATERAL_UNREAD" }];
}
