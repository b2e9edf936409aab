import { codeSentences } from "../code/sentences.js";
import type { OwnershipCode } from "../control/judgeOwnership.js";
import { controlSentences } from "../control/sentences.js";
import { poolSentences } from "../pools/sentences.js";
import { proxySentences } from "../proxies/sentences.js";
import { simulationSentences } from "../simulation/sentences.js";
import { defineReasons, type Reasons } from "../verdict/reasons.js";
import type { DependenceCode } from "./judgeDependence.js";
import type { FeeCode } from "./judgeFees.js";
import type { HoldingCode } from "./judgeHoldings.js";
import type { PowerCode } from "./judgePowers.js";
import type { ProgramCode } from "./judgeProgram.js";
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
export type LaunchCode =
  | CodeCode
  | TradeCode
  | FeeCode
  | OwnershipCode
  | PowerCode
  | ProgramCode
  | DependenceCode
  | HoldingCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs a pool whose liquidity no
 * single account can withdraw, trades of many accounts and sizes that finished with little tax now and later, a program that
 * was understood, and no account or function that could change that.
 */
export const launchReasons: Reasons<LaunchCode> = defineReasons({
  allow: {
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
    SELLS: "The token was bought and sold again in simulations, by many accounts and in many sizes.",
    TAX_NONE: "No step of the trade was taxed.",
    TAX_MODERATE: "The token keeps a part of a trade, at most 10 % in any step.",
    BUY_LIMITED: "Purchases above a part of the pool are refused, as young tokens often do.",
    SALE_WAITS_A_BLOCK: "A sale must wait for the next block after the purchase, which keeps bots away.",
    SALE_WAITS: "A sale must wait after the purchase, at most an hour.",
    NO_POWER_FOUND: "The program has no function besides those of every token.",
    POWERS_RENOUNCED: "The program has further functions, and nobody was found who may use them.",
    POWERS_HARMLESS: "The program has further functions; all were tried, and none harms a holder.",
    POWERS_SHARED: "Powers over trades are with a timelock or an account of several keys.",
    OWNER_RENOUNCED: controlSentences.OWNER_RENOUNCED,
    // Reported, but does not lower the verdict: what an owner may do is judged by the powers.
    OWNER_IS_ACCOUNT: controlSentences.OWNER_IS_ACCOUNT,
    OWNER_IS_CONTRACT: controlSentences.OWNER_IS_CONTRACT,
    LIQUIDITY_BURNT: "Nearly all of the pool's liquidity is burnt, so nobody can withdraw it.",
    LIQUIDITY_SECURED: "The pool's liquidity is locked for at least a week, or burnt.",
    LIQUIDITY_SPREAD: "No single account holds a large part of the pool's liquidity.",
  },
  review: {
    // There is nothing to judge, or logic that bytecode does not show.
    NO_CODE: codeSentences.NO_CODE,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    NO_POOL: "No pool was found in which the token trades, so nothing could be bought or sold.",
    POOL_TOO_SHALLOW: poolSentences.POOL_TOO_SHALLOW,
    SIMULATION_RECOGNISABLE: simulationSentences.SIMULATION_RECOGNISABLE,
    // It works now, but someone can change that.
    TOKEN_UPGRADEABLE: "The token's code can be replaced.",
    CODE_DELEGATES: "The program runs code of another contract as its own, which may be exchanged.",
    CODE_SELF_DESTRUCTS: "The program can destroy itself.",
    CALLS_OTHERS: "A transfer can depend on another contract, which may answer differently later.",
    LOOKS_AT_CODE: "The program looks at the code of accounts, so it may treat a simulation differently.",
    DEPENDS_ON_BLOCK:
      "The program reads properties of the block or of the gas, so another block may end otherwise.",
    HASH_LOCK: "A function has a condition that only somebody can meet who knows what was hashed.",
    SALE_DEPENDS_ON:
      "Whether a sale succeeds, or what it brings, depends on more than its parties' balances.",
    PATHS_NOT_FOLLOWED: "The functions of a trade have more paths than could be followed.",
    SALES_STOPPABLE_BY_CONTRACT: "A contract can make a sale fail, or take half of it or more.",
    SALE_TAX_RAISABLE: "A sale can be made to lose more than 10 %.",
    SUPPLY_INFLATABLE: "One account can make new tokens and sell them.",
    OWNERSHIP_RECLAIMABLE: "Ownership that was given up can be taken back.",
    FUNCTION_UNEXPLAINED:
      "A function that can touch trades is closed to everyone who was found, or does more than was tried.",
    FALLBACK_ACCEPTS: "The program accepts calls to functions that it does not have.",
    LIQUIDITY_WITH_ACCOUNT: "One account can withdraw a large part of the pool's liquidity.",
    LIQUIDITY_LOCK_ENDS: "The lock of the pool's liquidity ends within a week.",
    LIQUIDITY_HOLDER_UNKNOWN: "Who could withdraw the pool's liquidity is not known.",
    SUPPLY_CONCENTRATED: "One holder could sell so much that the price falls by a third or more.",
    SUPPLY_HANDED_OUT:
      "Accounts that the creator gave tokens could together sell so much that the price falls by a third or more.",
    SUPPLY_EXCEEDED: "Accounts hold more of the token than its supply.",
    UNANNOUNCED_BALANCE: "An account has tokens, or was given some at the creation, and no event names it.",
    POOL_SPENDABLE:
      "A contract, or an account that no event names, may spend what a pool has or what was burnt.",
    POOL_HOOKED:
      "The deepest pool, or another large one, calls a contract in each trade that can change what trades do.",
    SOME_HOLDERS_REFUSED: "A holder of the token cannot send it to the pool, though fresh accounts can.",
    // It does not work everywhere, or not for long.
    TAX_HIGH: "The token keeps more than 10 % in some step of a trade.",
    BUY_LIMITED_TIGHTLY:
      "Purchases are refused at no clear limit, or at a limit below a thousandth of the pool.",
    TRANSFER_FAILS: "The token can be sold, but not passed on to another account.",
    SENDERS_DIFFER: "The token treats two fresh accounts differently.",
    OTHER_POOL_FAILS: "The token does not trade well in a pool other than its deepest.",
    SALE_WAITS_LONG: "A sale must wait more than an hour after the purchase.",
    SALE_WORSENS: "A later sale costs much more than one at once.",
    // Asked, but no usable answer came.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    IMPLEMENTATION_UNREAD: proxySentences.IMPLEMENTATION_UNREAD,
    OWNER_UNREAD: controlSentences.OWNER_UNREAD,
    OWNER_UNREADABLE: controlSentences.OWNER_UNREADABLE,
    POOL_UNREAD: poolSentences.POOL_UNREAD,
    POWERS_UNREAD: "The program could not be analysed for powers over trades.",
    POWERS_NOT_EXERCISED: "Whether powers over the token harm a sale was not tried, or only in part.",
    CALLEES_UNREAD: "Which contracts the token calls during a trade could not be read.",
    LATER_SALE_UNMEASURED: "Whether a sale succeeds later could not be simulated.",
    HELD_SALE_UNTRIED: "Whether an account can sell in another transaction than it bought in was not shown.",
    LIQUIDITY_UNREAD: "Who holds the pool's liquidity could not be read.",
    HOLDERS_UNREAD: "Who holds the token could not be read, or only in part.",
    SIMULATION_UNAVAILABLE: simulationSentences.SIMULATION_UNAVAILABLE,
    SIMULATION_UNFINISHED: simulationSentences.SIMULATION_UNFINISHED,
  },
  block: {
    // Measured: a buyer cannot get the money back now, or one key decides about it.
    BUY_FAILS: "A purchase of the token would fail now.",
    SALE_FAILS: "An account that buys the token now cannot sell it again.",
    SALE_FAILS_FOR_SOME: "Some accounts cannot sell the token again, or not in every amount.",
    SALE_ENDS: "A sale that succeeds at once fails later.",
    SALE_FAILS_AFTER_OTHERS:
      "A sale that succeeds at once fails, or loses half or more, after many others have bought.",
    SALES_RUN_OUT: "An account that has sold several times cannot sell any more.",
    HELD_SALE_FAILS: "An account can sell in the transaction in which it bought, and not in a later one.",
    PLAIN_HOLDER_REFUSED: "The token trades for contracts, but not for ordinary accounts.",
    TAX_CONFISCATORY: "The token keeps half or more in some step of a trade.",
    SALES_STOPPABLE_BY_OWNER: "The token's owner, one key, can make a sale fail or take half of it or more.",
    SALES_STOPPABLE_BY_HIDDEN_KEY:
      "An account that owner() does not name can make a sale fail or take half of it or more.",
    SALES_STOPPABLE_BY_ANYONE: "Anyone can make a sale of the token fail or lose half of it or more.",
    SUPPLY_INFLATABLE_BY_ANYONE: "Anyone can make new tokens and sell them.",
    HOLDERS_REFUSED: "Holders of the token cannot send it to the pool, though fresh accounts can.",
    POOL_SPENDABLE_BY_ACCOUNT: "One account may spend what a pool has, or what counts as burnt.",
    IMPLEMENTATION_HAS_NO_CODE: proxySentences.IMPLEMENTATION_HAS_NO_CODE,
  },
});
