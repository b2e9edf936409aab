import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, unique, worstVerdict } from "../shared/verdict/note.js";
import { isMarketAddress, type PredictionEvidenceInput } from "./input.js";
import { type ConditionJudgement, judgeCondition } from "./judgeCondition.js";
import { judgeMarket } from "./judgeMarket.js";
import { judgeMarketPage } from "./judgeMarketPage.js";
import { judgeOracle } from "./judgeOracle.js";
import { judgeQuestion } from "./judgeQuestion.js";
import { type ConditionPlan, planCondition } from "./planCondition.js";
import type { MarketChainReadings, PredictionEvidenceReadings } from "./readings.js";
import { type PredictionCode, type PredictionNote, predictionReasons } from "./reasons.js";

type Input = PredictionEvidenceInput;

const NO_OUTCOME =
  "Nothing here says how the question will be or should be answered; `allow` says that what was asked about is identified, that who decides is known and that the state was read.";
const ON_CHAIN = [
  NO_OUTCOME,
  "Payouts are numbers by outcome slot; what a slot stands for was not read.",
  "How the oracle decides is known only from its own answers: its code was not judged, and the contract it waits for is known by address alone.",
  "Proxies that keep their implementation in slots of their own or in immutable variables are not recognised.",
  "Whether the market's own code trades and pays as it should was not checked.",
  "Everything is as of the stated block; state proofs cover code and slots, and what calls answered is as the node gave it.",
];

/** States what is known about a prediction market, what is not, and who decides. It never asserts an outcome. */
export function evaluatePredictionEvidence(input: Input, readings: PredictionEvidenceReadings) {
  // A verifier may be given readings of a page for a question about a contract.
  if (isMarketAddress(input.market) !== (readings.kind === "chain"))
    throw new RangeError(`readings of a ${readings.kind} do not answer for ${input.market}`);
  return readings.kind === "page" ? evaluatePage(input, readings) : evaluateChain(input, readings);
}

function evaluatePage(input: Input, { web }: Extract<PredictionEvidenceReadings, { kind: "page" }>) {
  const page = judgeMarketPage(input.question, web);
  return {
    ...conclude(web.fetched.finalUrl, page.notes, page.known),
    evidence: {
      ...page.evidence,
      known: page.known,
      unknown: [
        ...listUnknown(page.notes),
        "Neither what the page says nor whether it is followed was checked.",
      ],
      decidedBy: page.passages.filter(({ kinds }) => kinds.includes("decider")),
      passages: page.passages,
    },
    findings: { kind: "page" as const, ...page.findings },
    limitations: unique([NO_OUTCOME, ...page.limitations]),
  } satisfies Evaluation;
}

function evaluateChain(input: Input, readings: MarketChainReadings) {
  const plan = planCondition(input, readings.market);
  const market = judgeMarket(readings, plan);
  const isRecognised =
    plan.tokens !== null && plan.conditionId !== null && !market.notes.some(({ code }) => code === "NO_CODE");
  const rest = isRecognised ? judgeRest(input, plan, readings) : UNRECOGNISED;
  const notes = [...market.notes, ...rest.notes];
  const known = [...rest.known, ...market.known];
  return {
    ...conclude(input.market, notes, known),
    evidence: {
      known,
      unknown: [...listUnknown(notes), describeOpen(rest.condition)],
      decidedBy: rest.decidedBy,
      resolutionText: rest.oracleText,
    },
    findings: describe(plan, rest),
    limitations: unique([...ON_CHAIN, ...notes.flatMap(({ limitation }) => limitation ?? [])]),
  } satisfies Evaluation;
}

const UNRECOGNISED = {
  notes: [{ code: "DECIDER_UNKNOWN" }] as readonly PredictionNote[],
  known: [] as readonly string[],
  condition: null,
  decidedBy: [],
  oracleText: null,
  procedure: null,
};

type Rest = typeof UNRECOGNISED | ReturnType<typeof judgeRest>;

function judgeRest(input: Input, plan: ConditionPlan, readings: MarketChainReadings) {
  const condition = judgeCondition(plan, readings.tokens);
  const isVerified = condition.link === "verified";
  // The oracle that the market names counts only if the condition's id confirms it.
  const oracle = isVerified ? judgeOracle(input.market, plan, readings.oracle, condition) : null;
  const question = judgeQuestion(input.question, plan, condition.link, oracle?.record ?? null);
  return {
    notes: [...condition.notes, ...(oracle?.notes ?? []), ...question.notes],
    known: [...condition.known, ...question.known, ...(oracle?.known ?? [])],
    condition,
    decidedBy: oracle?.decidedBy ?? [],
    oracleText: question.oracleText,
    procedure: oracle?.procedure ?? null,
  };
}

function conclude(subject: string, notes: readonly PredictionNote[], known: readonly string[]) {
  const sentences = [decidingSentences(notes, predictionReasons), ...known];
  return {
    verdict: worstVerdict(notes, predictionReasons),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `${subject}: ${sentences.join(" ")} No outcome is asserted.`,
  };
}

/** Reasons that state what is not known. Their sentences are shown to people. */
const UNKNOWNS: ReadonlySet<PredictionCode> = new Set([
  "CODE_UNREAD",
  "SLOT_UNREAD",
  "MARKET_UNREAD",
  "MARKET_NOT_RECOGNISED",
  "CONDITION_STATE_UNREAD",
  "CONDITIONAL_TOKENS_UNKNOWN",
  "COLLATERAL_UNREAD",
  "ORACLE_UNREAD",
  "ORACLE_RULE_UNKNOWN",
  "ORACLE_HAS_OWNER",
  "OWNER_UNREAD",
  "DECIDER_UNKNOWN",
  "QUESTION_UNCONFIRMED",
  "QUESTION_NOT_FOUND",
  "QUESTION_NOT_TITLE",
  "RESOLUTION_TEXT_MISSING",
  "PAGE_TRUNCATED",
  "SCRIPT_ONLY_PAGE",
]);

const listUnknown = (notes: readonly PredictionNote[]): string[] =>
  unique(notes.flatMap(({ code }) => (UNKNOWNS.has(code) ? [predictionReasons[code].sentence] : [])));

function describeOpen(condition: ConditionJudgement | null): string {
  return condition?.isResolved ? "Whether what was reported is right." : "What will be reported, and when.";
}

function describe(plan: ConditionPlan, { condition, procedure }: Rest) {
  const state = condition?.state ?? null;
  return {
    kind: "chain" as const,
    conditionalTokens: plan.tokens,
    conditionId: plan.conditionId,
    oracle: plan.oracle,
    questionId: plan.isQuestionIdNamed || condition?.link === "verified" ? plan.questionId : null,
    collateralToken: plan.collateral,
    /** Whether the condition's id confirms the named oracle. */
    oracleLink: condition?.link ?? null,
    outcomeSlotCount: state?.outcomeSlotCount.toString() ?? null,
    payoutDenominator: state?.payoutDenominator.toString() ?? null,
    payoutNumerators: state?.payoutNumerators.map(String) ?? null,
    procedure,
  };
}
