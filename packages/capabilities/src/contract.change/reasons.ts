import { codeSentences } from "../shared/code/sentences.js";
import { controlSentences } from "../shared/control/sentences.js";
import { observationSentences } from "../shared/observations/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";

export type ContractChangeCode =
  | "BASELINE_CREATED"
  | "UNCHANGED"
  | "CODE_CHANGED"
  | "IMPLEMENTATION_CHANGED"
  | "FACETS_CHANGED"
  | "DELEGATES_BY_FUNCTION"
  | "DELEGATES_PARTLY"
  | "DELEGATION_UNRESOLVED"
  | "ADMIN_CHANGED"
  | "BEACON_CHANGED"
  | "DIFFERS_FROM_BASELINE"
  | "NOW_PAUSED"
  | "UNPAUSED"
  | "PAUSE_SWITCH_CHANGED"
  | "CONTRACT_PAUSED"
  | "NO_CODE"
  | "NATIVE_TOKEN_CODE"
  | "PROXY_DIAMOND"
  | "CONFLICTING_PROXY_SLOTS"
  | "SLOT_UNREAD"
  | "FIELD_UNREAD"
  | "EARLIER_FIELD_UNREAD";

/** What each reason means for the verdict; the most severe one decides. Only an unbroken "no change" is an `allow`. */
export const contractChangeReasons: Reasons<ContractChangeCode> = defineReasons({
  allow: {
    UNCHANGED: observationSentences.UNCHANGED,
  },
  review: {
    // One observation shows no change.
    BASELINE_CREATED: "This is the first observation of the address; there is nothing to compare it with.",
    CODE_CHANGED: observationSentences.CODE_CHANGED,
    IMPLEMENTATION_CHANGED: observationSentences.IMPLEMENTATION_CHANGED,
    FACETS_CHANGED:
      "The facets of the diamond, or their functions, have changed since the earlier observation.",
    ADMIN_CHANGED: observationSentences.ADMIN_CHANGED,
    BEACON_CHANGED: observationSentences.BEACON_CHANGED,
    // Another caller may have observed the change first, so that only the baseline shows it to this one.
    DIFFERS_FROM_BASELINE: "Something differs from the first observation of this address on record.",
    UNPAUSED: "The contract was paused at the earlier observation and is not any more.",
    PAUSE_SWITCH_CHANGED: "The pause switch has appeared or disappeared since the earlier observation.",
    // What decides is not among the compared fields, or it is not known whether it is.
    NO_CODE: codeSentences.NO_CODE,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    PROXY_DIAMOND: proxySentences.PROXY_DIAMOND,
    DELEGATES_BY_FUNCTION: proxySentences.DELEGATES_BY_FUNCTION,
    DELEGATES_PARTLY: proxySentences.DELEGATES_PARTLY,
    DELEGATION_UNRESOLVED: proxySentences.DELEGATION_UNRESOLVED,
    CONFLICTING_PROXY_SLOTS: proxySentences.CONFLICTING_PROXY_SLOTS,
    // Read, without a usable answer.
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    FIELD_UNREAD: observationSentences.FIELD_UNREAD,
    EARLIER_FIELD_UNREAD: observationSentences.EARLIER_FIELD_UNREAD,
  },
  block: {
    NOW_PAUSED: "The contract is paused and was not at the earlier observation.",
    CONTRACT_PAUSED: controlSentences.CONTRACT_PAUSED,
  },
});
