import type { CapabilityInput, Verdict } from "@assay/protocol";
import type { Evaluation } from "./evaluation.js";
import { type BorrowCode, type BorrowJudgement, judgeBorrow } from "./lending/judgeBorrow.js";
import { type HealthCode, judgeHealth } from "./lending/judgeHealth.js";
import { judgeMarket, type MarketCode } from "./lending/judgeMarket.js";
import { judgeOracle, type OracleCode } from "./lending/judgeOracle.js";
import { type LendingCase, openLendingCase } from "./lending/lendingCase.js";
import { MORPHO } from "./lending/morphoLayout.js";
import type { LendingCollateralReadings } from "./lendingCollateralReadings.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";

export const lendingCollateralRule = { id: "lending.collateral.guard", version: "1.0.0" } as const;

export type LendingCollateralCode = MarketCode | OracleCode | BorrowCode | HealthCode;

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs a borrow that the contract makes
 * exactly as computed, at a price that known code makes of known and fresh feeds of its tokens, and that survives a fall of a tenth.
 */
export const lendingCollateralVerdicts: Readonly<Record<LendingCollateralCode, Verdict>> = {
  MARKET_MATCHES: "allow",
  BORROW_ALLOWED: "allow",
  ORACLE_PRICE_EXPLAINED: "allow",
  HEALTHY_AFTER_FALL_20: "allow",
  // Told, not held against it: a fifth is a rare fall, and Morpho's owner enables interest models.
  UNHEALTHY_AFTER_FALL_20: "allow",
  INTEREST_FREE: "allow",
  RATE_MODEL_KNOWN: "allow",
  RATE_MODEL_UNKNOWN: "allow",

  UNHEALTHY_AFTER_FALL_10: "review",
  // Somebody, or nobody knows who, decides later prices.
  ORACLE_CODE_UNKNOWN: "review",
  ORACLE_UPGRADEABLE: "review",
  ORACLE_SOURCE_UNKNOWN: "review",
  ORACLE_PRICE_FIXED: "review",
  ORACLE_PRICE_UNEXPLAINED: "review",
  ORACLE_SCALE_UNUSUAL: "review",
  ORACLE_FEED_UNKNOWN: "review",
  ORACLE_FEED_STALE: "review",
  FEED_PAIR_DIFFERS: "review",
  // Asked, and not or not usably answered, or answered in two ways.
  CODE_UNREAD: "review",
  SENDER_UNREAD: "review",
  MARKET_UNREAD: "review",
  MARKET_STATE_DISAGREES: "review",
  RATE_UNREAD: "review",
  ORACLE_UNREAD: "review",
  ORACLE_PART_UNREAD: "review",
  SLOT_UNREAD: "review",
  PROXY_PROBE_UNREAD: "review",
  CALL_UNREAD: "review",
  SIMULATION_UNAVAILABLE: "review",
  SIMULATION_DISAGREES: "review",
  COMPUTATION_DISAGREES: "review",
  MEASURE_UNREAD: "review",
  ORACLE_ANSWERS_BY_CALLER: "review",
  LIQUIDATION_LINE_DIFFERS: "review",

  // It would fail now, or leave nothing between the user and liquidation.
  LENDING_CONTRACT_ABSENT: "block",
  TOKEN_HAS_NO_CODE: "block",
  MARKET_NOT_CREATED: "block",
  MARKET_MISFILED: "block",
  MARKET_TOKENS_DIFFER: "block",
  ORACLE_HAS_NO_CODE: "block",
  ORACLE_GIVES_NO_PRICE: "block",
  ORACLE_PRICE_ZERO: "block",
  BORROW_REVERTS: "block",
  COLLATERAL_TOO_LOW: "block",
  LIQUIDITY_TOO_LOW: "block",
  AMOUNT_TOO_LARGE: "block",
  LOAN_TOKEN_REFUSES: "block",
  LOAN_ARRIVES_SHORT: "block",
  ALREADY_UNHEALTHY: "block",
  UNHEALTHY_AFTER_FALL_5: "block",
};

const ALWAYS = [
  "Judged on the state and at the time of the stated block; the transactions before the borrow in its own block are not known.",
  "Falls are of the oracle's price alone, at once, with everything else as it is; where prices go is not predicted.",
  "Feeds and vaults are taken at their word: whether their code can be replaced, and whether the sequencer was down were not judged.",
  "Only markets of Morpho at its address on Base are known; what the user owes or holds elsewhere was not read.",
  "State proofs cover code, the market, the position and the oracle's proxy slots; prices, rates, balances, what the oracle's factory says and simulated results are calls, as the node gave them.",
];

/** Judges a borrow in a market of Morpho before it is taken. */
export function evaluateLendingCollateral(
  input: CapabilityInput<"lending.collateral.guard">,
  readings: LendingCollateralReadings,
) {
  const one = openLendingCase(input, readings);
  const { notes: oracleNotes, oracle } = judgeOracle(one);
  const borrow = judgeBorrow(one);
  const health = judgeHealth(one);
  const notes: Note<LendingCollateralCode>[] = [
    ...judgeMarket(one),
    ...oracleNotes,
    ...borrow.notes,
    ...health.notes,
  ];
  return {
    verdict: worstVerdict(notes, lendingCollateralVerdicts),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `borrow ${input.borrowAmountWei} of ${input.loanToken}: ${decidingSentences(notes, lendingCollateralVerdicts)}`,
    findings: {
      market: describeMarket(one),
      oracle,
      computed: describeComputed(one),
      measured: describeMeasured(borrow),
      position: health.findings,
    },
    limitations: unique([
      ...ALWAYS,
      ...health.limitations,
      ...notes.flatMap((note) => note.limitation ?? []),
    ]),
  } satisfies Evaluation;
}

function describeMarket({ search, terms }: LendingCase) {
  if (search.status === "unread" || search.status === "absent") return null;
  const { params } = search;
  return {
    contract: MORPHO,
    ...params,
    lltv: params.lltv.toString(),
    ratePerSecond: terms?.ratePerSecond?.toString() ?? null,
  };
}

/** By Morpho's arithmetic on the words of its storage. */
function describeComputed({ computation }: LendingCase) {
  if (computation === null) return null;
  if (computation.status === "reverts") return { succeeds: false, refusals: [computation.refusal] };
  const { refusals, shares, market, position } = computation.borrowed;
  return {
    succeeds: refusals.length === 0,
    refusals,
    shares: shares.toString(),
    liquidityAfter: (market.totalSupplyAssets - market.totalBorrowAssets).toString(),
    totalBorrowAssets: market.totalBorrowAssets.toString(),
    totalBorrowShares: market.totalBorrowShares.toString(),
    borrowShares: position.borrowShares.toString(),
    collateral: position.collateral.toString(),
  };
}

/** By the contract, called and simulated. */
const describeMeasured = ({ succeeds, revert, received, isLineConfirmed }: BorrowJudgement) => ({
  succeeds,
  revert,
  received: received?.toString() ?? null,
  isLineConfirmed,
});
