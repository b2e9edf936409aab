import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import type { LendingCollateralInput } from "./input.js";
import { type BorrowJudgement, judgeBorrow } from "./judgeBorrow.js";
import { judgeHealth } from "./judgeHealth.js";
import { judgeMarket } from "./judgeMarket.js";
import { judgeOracle } from "./judgeOracle.js";
import { type LendingCase, openLendingCase } from "./lendingCase.js";
import { MORPHO } from "./morphoLayout.js";
import type { LendingCollateralReadings } from "./readings.js";
import { type LendingCollateralCode, lendingCollateralReasons } from "./reasons.js";

const ALWAYS = [
  "Judged on the state and at the time of the stated block; the transactions before the borrow in its own block are not known.",
  "Falls are of the oracle's price alone, at once, with everything else as it is; where prices go is not predicted.",
  "Feeds and vaults are taken at their word: whether their code can be replaced, and whether the sequencer was down were not judged.",
  "Only markets of Morpho at its address on Base are known; what the user owes or holds elsewhere was not read.",
  "State proofs cover code, the market, the position and the oracle's proxy slots; prices, rates, balances, what the oracle's factory says and simulated results are calls, as the node gave them.",
];

/** Judges a borrow in a market of Morpho before it is taken. */
export function evaluateLendingCollateral(
  input: LendingCollateralInput,
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
    verdict: worstVerdict(notes, lendingCollateralReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `borrow ${input.borrowAmountWei} of ${input.loanToken}: ${decidingSentences(notes, lendingCollateralReasons)}`,
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
