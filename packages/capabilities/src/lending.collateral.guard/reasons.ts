import { codeSentences } from "../shared/code/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { simulationSentences } from "../shared/simulation/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import { commonSentences } from "../shared/verdict/sentences.js";
import type { BorrowCode } from "./judgeBorrow.js";
import type { HealthCode } from "./judgeHealth.js";
import type { MarketCode } from "./judgeMarket.js";
import type { OracleCode } from "./judgeOracle.js";

export type LendingCollateralCode = MarketCode | OracleCode | BorrowCode | HealthCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs a borrow that the contract makes
 * exactly as computed, at a price that known code makes of known and fresh feeds of its tokens, and that survives a fall of a tenth.
 */
export const lendingCollateralReasons: Reasons<LendingCollateralCode> = defineReasons({
  allow: {
    MARKET_MATCHES: "The market's parameters hash to its id and are of the two tokens given.",
    BORROW_ALLOWED: "The contract makes the loan now, exactly as computed.",
    ORACLE_PRICE_EXPLAINED: "The oracle's price is the one its feeds make, all of them known and fresh.",
    HEALTHY_AFTER_FALL_20: "The position stays healthy after the borrow and a price fall of 20 %.",
    // Reported, but does not lower the verdict: a fall of a fifth is rare, and Morpho's owner enables interest models.
    UNHEALTHY_AFTER_FALL_20: "A price fall of 20 % after the borrow makes the position liquidatable.",
    INTEREST_FREE: "The market has no interest model and charges nothing.",
    RATE_MODEL_KNOWN: "The market's interest model is the one Morpho's own markets use.",
    RATE_MODEL_UNKNOWN: "The market's interest model is not a known one.",
  },
  review: {
    UNHEALTHY_AFTER_FALL_10: "A price fall of 10 % after the borrow makes the position liquidatable.",
    // A known or unknown party decides later prices.
    ORACLE_CODE_UNKNOWN:
      "The oracle's code is not of a known factory, so what its price does next is not known.",
    ORACLE_UPGRADEABLE: commonSentences.ORACLE_UPGRADEABLE,
    ORACLE_SOURCE_UNKNOWN: "What the oracle's price is made of, and how old it is, is not known.",
    ORACLE_PRICE_FIXED: "The oracle's price is made of no feed: it never changes.",
    ORACLE_PRICE_UNEXPLAINED: "The oracle's price is not the one its own parts make.",
    ORACLE_SCALE_UNUSUAL: "The oracle's scale is not the one that the decimals of tokens and feeds ask for.",
    ORACLE_FEED_UNKNOWN: "A feed or a vault behind the oracle is not a known one.",
    ORACLE_FEED_STALE:
      "A feed behind the oracle is older than its update interval allows, or dated in the future.",
    FEED_PAIR_DIFFERS: "The feeds behind the oracle are of other tokens than the market's.",
    // Read, without a usable answer or with two that differ.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SENDER_UNREAD: simulationSentences.SENDER_UNREAD,
    MARKET_UNREAD: commonSentences.MARKET_UNREAD,
    MARKET_STATE_DISAGREES: "The market's functions return other values than its storage holds.",
    RATE_UNREAD: "The market's interest rate could not be read.",
    ORACLE_UNREAD: commonSentences.ORACLE_UNREAD,
    ORACLE_PART_UNREAD: "A part of which the oracle's price is made gave no usable answer.",
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    PROXY_PROBE_UNREAD: proxySentences.PROXY_PROBE_UNREAD,
    CALL_UNREAD: simulationSentences.CALL_UNREAD,
    SIMULATION_UNAVAILABLE: simulationSentences.SIMULATION_UNAVAILABLE,
    SIMULATION_DISAGREES: simulationSentences.SIMULATION_DISAGREES,
    COMPUTATION_DISAGREES: "The contract answers otherwise than was computed from its state.",
    MEASURE_UNREAD: simulationSentences.MEASURE_UNREAD,
    ORACLE_ANSWERS_BY_CALLER: "The oracle returns different prices to different callers.",
    LIQUIDATION_LINE_DIFFERS: "The contract requires other collateral than its oracle's price implies.",
  },
  block: {
    // It would fail now, or leave nothing between the user and liquidation.
    LENDING_CONTRACT_ABSENT: "There is no code where Morpho should be.",
    TOKEN_HAS_NO_CODE: simulationSentences.TOKEN_HAS_NO_CODE,
    MARKET_NOT_CREATED: "There is no market under this id.",
    MARKET_MISFILED: "What is stored under the id does not hash to it.",
    MARKET_TOKENS_DIFFER: "The market is of other tokens than the ones given.",
    ORACLE_HAS_NO_CODE: "There is no code at the address of the market's oracle.",
    ORACLE_GIVES_NO_PRICE: "The market's oracle refuses to give a price.",
    ORACLE_PRICE_ZERO: "The market's oracle says the collateral is worth nothing.",
    BORROW_REVERTS: "The borrow would fail now.",
    COLLATERAL_TOO_LOW: "The user's collateral does not carry the borrow.",
    LIQUIDITY_TOO_LOW: "The market does not have that much to lend.",
    AMOUNT_TOO_LARGE: "The amounts or the price are beyond what the contract can compute with.",
    LOAN_TOKEN_REFUSES: "The loan token refuses to be paid out to the user.",
    LOAN_ARRIVES_SHORT: "Less of the loan arrives than is owed for it.",
    ALREADY_UNHEALTHY: "The position can be liquidated as it is.",
    UNHEALTHY_AFTER_FALL_5: "A price fall of 5 % after the borrow makes the position liquidatable.",
  },
});
