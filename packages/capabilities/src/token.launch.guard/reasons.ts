import { codeSentences } from "../shared/code/sentences.js";
import type { OwnershipCode } from "../shared/control/judgeOwnership.js";
import { controlSentences } from "../shared/control/sentences.js";
import { poolSentences } from "../shared/pools/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { simulationSentences } from "../shared/simulation/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { FeeCode } from "./judgeFees.js";
import type { LiquidityCode } from "./judgeLiquidity.js";
import type { PowerCode } from "./judgePowers.js";
import type { TradeCode } from "./judgeTrades.js";

export type CodeCode =
  | "CODE_PRESENT"
  | "NO_CODE"
  | "CODE_UNREAD"
  | "NATIVE_TOKEN_CODE"
  | "DELEGATED_ACCOUNT"
  | "MINIMAL_PROXY"
  | "TOKEN_UPGRADEABLE"
  | "SLOT_UNREAD"
  | "IMPLEMENTATION_UNREAD"
  | "IMPLEMENTATION_HAS_NO_CODE";
export type TokenLaunchCode = CodeCode | TradeCode | FeeCode | OwnershipCode | PowerCode | LiquidityCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs a pool, trades of both
 * senders at both sizes that finished with little tax, code that was scanned whole, and no harmful power that anyone
 * holds.
 */
export const tokenLaunchReasons: Reasons<TokenLaunchCode> = defineReasons({
  allow: {
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
    SELLS: "The token was bought and sold again in a simulation, from two accounts and in two sizes.",
    TAX_NONE: "No step of the trade was taxed.",
    TAX_MODERATE: "The token keeps a part of a trade, at most 10 % in any step.",
    NO_POWER_FOUND: "The code has no function that is known to give its owner power over trades.",
    POWERS_RENOUNCED: "The code has powers over trades, but the token says it has no owner.",
    OWNER_RENOUNCED: controlSentences.OWNER_RENOUNCED,
    // Reported, but does not lower the verdict: what an owner may do is judged by the powers.
    OWNER_IS_ACCOUNT: controlSentences.OWNER_IS_ACCOUNT,
    OWNER_IS_CONTRACT: controlSentences.OWNER_IS_CONTRACT,
    LIQUIDITY_BURNT: "Nobody can withdraw nearly all of the pair's liquidity.",
    LIQUIDITY_HOLDER_UNKNOWN: "Who holds the pool's liquidity is not known.",
  },
  review: {
    // There is nothing to judge, or logic that bytecode does not show.
    NO_CODE: codeSentences.NO_CODE,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    NO_POOL: "No pool was found in which the token trades, so nothing could be bought or sold.",
    POOL_TOO_SHALLOW: poolSentences.POOL_TOO_SHALLOW,
    SIMULATION_RECOGNISABLE: simulationSentences.SIMULATION_RECOGNISABLE,
    // It works now, but someone can change that, or it does not work everywhere.
    TOKEN_UPGRADEABLE: "The token's code can be replaced.",
    OWNER_POWERS_LIVE: "The token's owner is in office and has powers over trades.",
    POWER_HOLDER_UNKNOWN: "The code has powers over trades, and who holds them is not known.",
    SALES_STOPPABLE_BY_CONTRACT:
      "The token's owner, a contract, can make a sale fail or take half of it or more.",
    SALE_TAX_RAISABLE: "A sale can be made to lose more than 10 %.",
    LIQUIDITY_WITH_OWNER:
      "The token or its owner holds a large part of the pair's liquidity and can take it out.",
    TAX_HIGH: "The token keeps more than 10 % in some step of a trade.",
    BUY_LIMITED: "A small purchase of the token succeeds, a larger one fails.",
    TRANSFER_FAILS: "The token can be sold, but not passed on to another account.",
    SENDERS_DIFFER: "The token treats two fresh accounts differently.",
    OTHER_POOL_FAILS: "The token does not trade well in a pool other than its deepest.",
    // Asked, but no usable answer came.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    IMPLEMENTATION_UNREAD: proxySentences.IMPLEMENTATION_UNREAD,
    OWNER_UNREAD: controlSentences.OWNER_UNREAD,
    OWNER_UNREADABLE: controlSentences.OWNER_UNREADABLE,
    POOL_UNREAD: poolSentences.POOL_UNREAD,
    POWERS_UNREAD: "The code could not be searched for powers over trades.",
    POWERS_NOT_EXERCISED: "Whether powers over the token harm a sale was not tried, or only in part.",
    LIQUIDITY_UNREAD: "Who holds the pair's liquidity could not be read.",
    SIMULATION_UNAVAILABLE: simulationSentences.SIMULATION_UNAVAILABLE,
    SIMULATION_UNFINISHED: simulationSentences.SIMULATION_UNFINISHED,
  },
  block: {
    // Measured: a buyer cannot get the money back now, or one key decides about it.
    BUY_FAILS: "A purchase of the token would fail now.",
    SALE_FAILS: "Who buys the token now cannot sell it again.",
    TAX_CONFISCATORY: "The token keeps half or more in some step of a trade.",
    SALES_STOPPABLE_BY_OWNER: "The token's owner, one key, can make a sale fail or take half of it or more.",
    SALES_STOPPABLE_BY_ANYONE: "Anyone can make a sale of the token fail or lose half of it or more.",
    IMPLEMENTATION_HAS_NO_CODE: proxySentences.IMPLEMENTATION_HAS_NO_CODE,
  },
});
