import type { Hex } from "@assay/protocol";
import { codeSentences } from "../shared/code/sentences.js";
import { controlSentences } from "../shared/control/sentences.js";
import { pageReasons } from "../shared/page-text/reasons.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import type { Note } from "../shared/verdict/note.js";
import { defineReasons } from "../shared/verdict/reasons.js";
import { commonSentences } from "../shared/verdict/sentences.js";

/**
 * What each reason means for the verdict; the most severe one decides. `allow` says that what was asked about is
 * identified, that who reports on it is known, and that its state was read whole. It says nothing about the outcome.
 */
export const predictionReasons = {
  ...pageReasons,
  ...defineReasons({
    allow: {
      QUESTION_ON_PAGE: "The page is headed by the question in the same words.",
      RESOLUTION_TEXT_QUOTED: "Text about how the question is resolved was found and is quoted.",
      DECIDER_NAMED_ON_PAGE: "The page names who or what decides.",
      CODE_PRESENT: codeSentences.CODE_PRESENT,
      MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
      CONDITIONAL_TOKENS_KNOWN: "The conditional tokens are kept by the code that was published for them.",
      CONDITION_RECOMPUTED:
        "The condition's id is the hash of its oracle, its question id and its outcome slots.",
      PAYOUTS_NOT_REPORTED: "No payouts are on record for the condition.",
      PAYOUTS_REPORTED: "Payouts are on record for the condition.",
      ORACLE_IS_CONTRACT: "A contract decides.",
      OWNER_RENOUNCED: controlSentences.OWNER_RENOUNCED,
      DECIDED_BY_PROPOSAL:
        "The oracle says it takes what an optimistic oracle settles: an answer that is proposed stands unless it is disputed.",
      DECIDED_BY_BONDED_ANSWERS:
        "The oracle says it takes what Reality.eth settles: the last bonded answer, or an arbitrator's.",
      PROCEDURE_OPEN: "The question was put, and no answer is proposed.",
      PROPOSAL_STANDS: "An answer is proposed.",
      PROCEDURE_SETTLED: "The procedure that the oracle waits for has ended.",
      QUESTION_ID_MATCHES: "The condition is about what was asked: the ids are equal.",
      QUESTION_IN_ORACLE_TEXT:
        "The oracle keeps a text that is headed by the question's words, and its hash is the question id.",
    },
    review: {
      // It is not what was asked about, or that is not known.
      MARKET_NOT_RECOGNISED: "The address does not answer as a market of conditional tokens.",
      NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
      DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
      CONDITION_AMBIGUOUS:
        "The market names several conditions, or names its condition in two ways that differ.",
      QUESTION_UNCONFIRMED: "Nothing that was read ties the question's words to the condition.",
      QUESTION_NOT_FOUND: "The text that was read does not hold the question's words.",
      QUESTION_NOT_TITLE:
        "The question's words are somewhere in the text that was read, but the text is not headed by them.",
      RESOLUTION_TEXT_MISSING: "No text about how the question is resolved was found.",
      // Someone can change it or decides alone, or it is not known who decides.
      CONDITIONAL_TOKENS_UNKNOWN:
        "The conditional tokens are kept by code that is not the published one, so their state is only what that code says.",
      MARKET_UPGRADEABLE: "The market's code can be replaced.",
      DECIDER_UNKNOWN: "Who decides is not known.",
      ORACLE_IS_ACCOUNT: "A plain account decides: the holder of its key can report anything.",
      ORACLE_UPGRADEABLE: commonSentences.ORACLE_UPGRADEABLE,
      ORACLE_HAS_OWNER: "The oracle names an owner; what the owner may decide was not read.",
      ORACLE_RULE_UNKNOWN: "How the oracle decides is not known.",
      ORACLE_PAUSED: "The oracle says that it is paused.",
      ORACLE_DECIDES_BY_HAND: "The oracle says that its operators decide in place of its usual procedure.",
      ORACLE_STATE_CONFLICTS:
        "What the oracle says of the question and what is on record about it do not agree.",
      PROCEDURE_NOT_BEGUN:
        "The contract that the oracle takes its answer from has no request for this question.",
      PROPOSAL_DISPUTED: "There is a dispute over a proposed answer.",
      // Asked, but no usable answer came.
      CODE_UNREAD: codeSentences.CODE_UNREAD,
      SLOT_UNREAD: proxySentences.SLOT_UNREAD,
      MARKET_UNREAD: commonSentences.MARKET_UNREAD,
      MARKET_ANSWER_MALFORMED: "The market answered with something else than was asked for.",
      CONDITION_STATE_UNREAD: "What is on record about the condition could not be read, or not all of it.",
      CONDITION_STATE_CONFLICTS: "The condition's state in storage and in the contract's answers differ.",
      COLLATERAL_UNREAD: "The code of the market's collateral token could not be read.",
      ORACLE_UNREAD: commonSentences.ORACLE_UNREAD,
      OWNER_UNREAD: controlSentences.OWNER_UNREAD,
      OWNER_UNREADABLE: controlSentences.OWNER_UNREADABLE,
    },
    block: {
      // Read: the market is not what it claims to be, or can never pay.
      NO_CODE: codeSentences.NO_CODE,
      CONDITION_MISMATCH:
        "The condition's id is not the hash of the oracle, the question id and the outcome slots it is named with.",
      CONDITION_NOT_PREPARED:
        "The condition does not exist in the contract that the market keeps its tokens in.",
      PAYOUTS_INCONSISTENT: "The payouts on record do not add up to their denominator.",
      COLLATERAL_HAS_NO_CODE: "The market's collateral token is an address without code.",
      ORACLE_CANNOT_REPORT:
        "The oracle is an address that nobody can send from, so nothing will ever be reported.",
      QUESTION_OF_ANOTHER_MARKET:
        "The market is about another question or condition than the one that was asked about.",
    },
  }),
};

export type PredictionCode = keyof typeof predictionReasons;
export type PredictionNote = Note<PredictionCode>;

/** An account or contract that takes part in the decision. */
export interface Decider {
  readonly role: "oracle" | "oracle_owner" | "oracle_admin" | "optimistic_oracle" | "reality_eth";
  readonly address: Hex;
  readonly kind: "account" | "contract" | "unread";
  readonly codeHash: Hex | null;
  /** What shows it: the condition's id, a storage slot, or the oracle's own answer. */
  readonly basis: "condition_id" | "slot" | "self_reported";
}

/** What one part of the rule found: reasons, and sentences that state facts and never an outcome. */
export interface Judgement {
  readonly notes: readonly PredictionNote[];
  readonly known: readonly string[];
}
