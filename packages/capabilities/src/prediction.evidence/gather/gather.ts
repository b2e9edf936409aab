import type { CallRead } from "@assay/chain";
import { parsePageTarget, refusedPages, type TestHosts } from "@assay/pages";
import { AssayError, type FieldError, type Hex, noAnswer, type Reading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { readPage } from "../../shared/page-text/gather/readPage.js";
import { type KnownSlot, knownSlots } from "../../shared/proxies/knownSlots.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading, recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import { nameSlots } from "../../shared/reads/gather/nameSlots.js";
import {
  type AccountReadings,
  type AccountRequest,
  readAccounts,
} from "../../shared/reads/gather/readAccounts.js";
import { isKnownTokens, listConditionSlots, readStoredState } from "../conditionState.js";
import { isMarketAddress, type PredictionEvidenceInput } from "../input.js";
import { type ConditionPlan, planCondition } from "../planCondition.js";
import {
  type ConditionReadings,
  MAX_OUTCOMES_READ,
  type MarketChainReadings,
  type MarketReadings,
  type PredictionEvidenceReadings,
} from "../readings.js";
import { readConditionAnswers, readOracleProcedure } from "./predictionLenses.js";

const SELECTORS = {
  conditionalTokens: "0x5bd9e299",
  conditionId: "0x2ddc7de7",
  /** `conditionIds(uint256)` */
  conditionIds: "0xd8c55af7",
  oracle: "0x7dc0d1d0",
  questionId: "0xb06a5c52",
  collateralToken: "0xb2016bd4",
  owner: "0x8da5cb5b",
  /** `getQuestion(bytes32)` of UMA's adapters */
  getQuestion: "0x58c039cd",
} as const;

const slotNames = [
  "eip1967Implementation",
  "eip1967Admin",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
  "diamondFacets",
] as const satisfies readonly KnownSlot[];
const proxySlots = slotNames.map((name) => knownSlots[name]);

/** Slot count, denominator and numerators. */
const MAX_CONDITION_BYTES = 32 * (2 + MAX_OUTCOMES_READ);
const MAX_PROCEDURE_BYTES = 32 * 4;
/** UMA takes 8,139 bytes of text; a dozen words stand before it. */
const MAX_QUESTION_BYTES = 8_704;
/** A text of this length takes more gas to read from storage than an ordinary view. */
const QUESTION_GAS = 6_000_000;

/** Payouts may be reported at any time, and a market may name another condition. */
const OPEN_TTL_SECONDS = 60;

/** A market on the chain, in two batches: itself, then what its answers lead to. Or a public page. */
async function gatherPredictionEvidence(
  context: GatherContext,
  input: PredictionEvidenceInput,
): Promise<Gathered<PredictionEvidenceReadings>> {
  const { market: address } = input;
  if (!isMarketAddress(address)) {
    return { readings: { kind: "page", web: await readPage(context, address) } };
  }
  const market = await readMarket(context, address);
  const rest = await readRest(context, planCondition(input, market));
  const fingerprint = recordFingerprint(context, address, market.code);
  return {
    readings: { kind: "chain", market, ...rest },
    ...(fingerprint && { fingerprint }),
    ...(!isFinal(rest.tokens) && { ttlSeconds: OPEN_TTL_SECONDS }),
  };
}

/** The published code accepts one report and never another. */
function isFinal(tokens: ConditionReadings | null): boolean {
  if (tokens === null || !isKnownTokens(tokens)) return false;
  const state = readStoredState(tokens);
  return state.status === "value" && state.value.payoutDenominator > 0n;
}

async function readMarket(context: GatherContext, address: Hex): Promise<MarketReadings> {
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: proxySlots }],
    [
      call(address, SELECTORS.conditionalTokens),
      call(address, `${SELECTORS.conditionIds}${"0".repeat(64)}`),
      call(address, `${SELECTORS.conditionIds}${"1".padStart(64, "0")}`),
      call(address, SELECTORS.conditionId),
      call(address, SELECTORS.oracle),
      call(address, SELECTORS.questionId),
      call(address, SELECTORS.collateralToken),
    ],
  );
  const [account] = accounts;
  const [conditionalTokens, first, second, conditionId, oracle, questionId, collateralToken] = others.map(
    (answer) => cutAnswer(answer, WORD_ANSWER_BYTES),
  );
  return {
    code: fingerprintReading(account?.code),
    slots: nameSlots(slotNames, account?.slots ?? []),
    conditionalTokens: conditionalTokens ?? noAnswer,
    conditionIds: [first ?? noAnswer, second ?? noAnswer],
    conditionId: conditionId ?? noAnswer,
    oracle: oracle ?? noAnswer,
    questionId: questionId ?? noAnswer,
    collateralToken: collateralToken ?? noAnswer,
  };
}

type Rest = Pick<MarketChainReadings, "tokens" | "oracle" | "collateral">;

/** One part of the second batch: an account, calls beside it, and how to parse both. */
interface Part {
  readonly account: AccountRequest;
  readonly calls: readonly CallRead[];
  readonly parse: (account: AccountReadings, answers: readonly Reading<Hex>[]) => Partial<Rest>;
}

async function readRest(context: GatherContext, plan: ConditionPlan): Promise<Rest> {
  const nothing: Rest = { tokens: null, oracle: null, collateral: null };
  const { tokens, conditionId, oracle, collateral } = plan;
  if (tokens === null || conditionId === null) return nothing;
  const parts = [
    planTokens(tokens, conditionId),
    ...(oracle === null ? [] : [planOracle(oracle, plan.questionId)]),
    ...(collateral === null ? [] : [planCollateral(collateral)]),
  ];
  const { accounts, others } = await readAccounts(
    context,
    parts.map(({ account }) => account),
    parts.flatMap(({ calls }) => calls),
  );
  const answers: readonly Reading<Hex>[] = others;
  const read = parts.map(({ calls, parse }, index) => {
    const from = parts.slice(0, index).reduce((sum, part) => sum + part.calls.length, 0);
    return parse(accounts[index] ?? { code: noAnswer, slots: [] }, answers.slice(from, from + calls.length));
  });
  return Object.assign(nothing, ...read);
}

function planTokens(address: Hex, conditionId: Hex): Part {
  const { outcomeSlotCount, payoutDenominator, payoutNumerators } = listConditionSlots(conditionId);
  return {
    account: { address, slots: [outcomeSlotCount, payoutDenominator, ...payoutNumerators] },
    calls: [readConditionAnswers(address, conditionId)],
    parse: ({ code, slots }, [answers]) => ({
      tokens: {
        address,
        conditionId,
        code: fingerprintReading(code),
        storage: {
          outcomeSlotCount: slots[0] ?? noAnswer,
          payoutDenominator: slots[1] ?? noAnswer,
          payoutNumerators: payoutNumerators.map((_, index) => slots[index + 2] ?? noAnswer),
        },
        answers: cutAnswer(answers, MAX_CONDITION_BYTES),
      },
    }),
  };
}

function planOracle(address: Hex, questionId: Hex): Part {
  return {
    account: { address, slots: proxySlots },
    calls: [
      call(address, SELECTORS.owner),
      { ...call(address, `${SELECTORS.getQuestion}${questionId.slice(2)}`), gas: QUESTION_GAS },
      readOracleProcedure(address, questionId),
    ],
    parse: ({ code, slots }, [owner, question, procedure]) => ({
      oracle: {
        address,
        questionId,
        code: fingerprintReading(code),
        slots: nameSlots(slotNames, slots),
        owner: cutAnswer(owner, WORD_ANSWER_BYTES),
        question: cutAnswer(question, MAX_QUESTION_BYTES),
        procedure: cutAnswer(procedure, MAX_PROCEDURE_BYTES),
      },
    }),
  };
}

function planCollateral(address: Hex): Part {
  return {
    account: { address, slots: [] },
    calls: [],
    parse: ({ code }) => ({ collateral: { address, code: fingerprintReading(code) } }),
  };
}

const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

/** Refuses as web.compile does, and names the field that the URL was given in here. */
function verifyPublicPage(url: string, testHosts: TestHosts): void {
  try {
    parsePageTarget(url, testHosts);
    refusedPages.verify(url);
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    const fields = error.fields.map(({ rule }): FieldError => ({ field: "market", rule }));
    throw new AssayError(error.code, error.message, { fields });
  }
}

export const gatherer: Gatherer<PredictionEvidenceInput, PredictionEvidenceReadings> = {
  gather: gatherPredictionEvidence,
  checkInput({ market }, { webTestHosts }) {
    if (!isMarketAddress(market)) verifyPublicPage(market, webTestHosts);
    return [];
  },
};
