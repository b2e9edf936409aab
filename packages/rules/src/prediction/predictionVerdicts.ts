import type { Hex, Verdict } from "@assay/protocol";
import { webCompileVerdicts } from "../evaluateWebCompile.js";
import type { Note } from "../note.js";

/**
 * What each reason means for the verdict; the gravest decides. `allow` says that what was asked about is identified, that
 * who reports on it is known, and that its state was read whole. It says nothing about the outcome.
 */
export const predictionVerdicts = {
  // A page is first a page: what web.compile holds against one counts here too.
  PAGE_COMPILED: webCompileVerdicts.PAGE_COMPILED,
  PAGE_TRUNCATED: webCompileVerdicts.PAGE_TRUNCATED,
  PAGE_EMPTY: webCompileVerdicts.PAGE_EMPTY,
  SCRIPT_ONLY_PAGE: webCompileVerdicts.SCRIPT_ONLY_PAGE,
  HIDDEN_TEXT: webCompileVerdicts.HIDDEN_TEXT,
  TEXT_ADDRESSES_AGENT: webCompileVerdicts.TEXT_ADDRESSES_AGENT,
  STYLE_NOT_UNDERSTOOD: webCompileVerdicts.STYLE_NOT_UNDERSTOOD,
  HIDDEN_TEXT_ADDRESSES_AGENT: webCompileVerdicts.HIDDEN_TEXT_ADDRESSES_AGENT,
  QUESTION_ON_PAGE: "allow",
  RESOLUTION_TEXT_QUOTED: "allow",
  DECIDER_NAMED_ON_PAGE: "allow",

  CODE_PRESENT: "allow",
  MINIMAL_PROXY: "allow",
  CONDITIONAL_TOKENS_KNOWN: "allow",
  CONDITION_RECOMPUTED: "allow",
  PAYOUTS_NOT_REPORTED: "allow",
  PAYOUTS_REPORTED: "allow",
  ORACLE_IS_CONTRACT: "allow",
  OWNER_RENOUNCED: "allow",
  DECIDED_BY_PROPOSAL: "allow",
  DECIDED_BY_BONDED_ANSWERS: "allow",
  PROCEDURE_OPEN: "allow",
  PROPOSAL_STANDS: "allow",
  PROCEDURE_SETTLED: "allow",
  QUESTION_ID_MATCHES: "allow",
  QUESTION_IN_ORACLE_TEXT: "allow",

  // Not what was asked about, or not known to be.
  MARKET_NOT_RECOGNISED: "review",
  NATIVE_TOKEN_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  CONDITION_AMBIGUOUS: "review",
  QUESTION_UNCONFIRMED: "review",
  QUESTION_NOT_FOUND: "review",
  QUESTION_NOT_TITLE: "review",
  RESOLUTION_TEXT_MISSING: "review",
  // Somebody can make it something else, or decides alone, or nobody knows who decides.
  CONDITIONAL_TOKENS_UNKNOWN: "review",
  MARKET_UPGRADEABLE: "review",
  DECIDER_UNKNOWN: "review",
  ORACLE_IS_ACCOUNT: "review",
  ORACLE_UPGRADEABLE: "review",
  ORACLE_HAS_OWNER: "review",
  ORACLE_RULE_UNKNOWN: "review",
  ORACLE_PAUSED: "review",
  ORACLE_DECIDES_BY_HAND: "review",
  ORACLE_STATE_CONFLICTS: "review",
  PROCEDURE_NOT_BEGUN: "review",
  PROPOSAL_DISPUTED: "review",
  // Asked, and not or not usably answered.
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  MARKET_UNREAD: "review",
  MARKET_ANSWER_MALFORMED: "review",
  CONDITION_STATE_UNREAD: "review",
  CONDITION_STATE_CONFLICTS: "review",
  COLLATERAL_UNREAD: "review",
  ORACLE_UNREAD: "review",
  OWNER_UNREAD: "review",
  OWNER_UNREADABLE: "review",

  // Read, and the market cannot be what it is taken for, or can never pay.
  NO_CODE: "block",
  CONDITION_MISMATCH: "block",
  CONDITION_NOT_PREPARED: "block",
  PAYOUTS_INCONSISTENT: "block",
  COLLATERAL_HAS_NO_CODE: "block",
  ORACLE_CANNOT_REPORT: "block",
  QUESTION_OF_ANOTHER_MARKET: "block",
} as const satisfies Record<string, Verdict>;

export type PredictionCode = keyof typeof predictionVerdicts;
export type PredictionNote = Note<PredictionCode>;

/** Somebody, or something, that takes part in the decision. */
export interface Decider {
  readonly role: "oracle" | "oracle_owner" | "oracle_admin" | "optimistic_oracle" | "reality_eth";
  readonly address: Hex;
  readonly kind: "account" | "contract" | "unread";
  readonly codeHash: Hex | null;
  /** What shows it: the condition's id, a storage slot, or the oracle's own word. */
  readonly basis: "condition_id" | "slot" | "self_reported";
}

/** What one part of the rule found: reasons, and sentences that state facts and never an outcome. */
export interface Judgement {
  readonly notes: readonly PredictionNote[];
  readonly known: readonly string[];
}
