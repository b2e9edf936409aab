import { codeSentences } from "../shared/code/sentences.js";
import { controlSentences } from "../shared/control/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";

export type ContractChangeCode =
  | "BASELINE_CREATED"
  | "UNCHANGED"
  | "CODE_CHANGED"
  | "IMPLEMENTATION_CHANGED"
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

/** What each reason means for the verdict; the gravest decides. Only an unbroken "no change" is an `allow`. */
export const contractChangeReasons: Reasons<ContractChangeCode> = defineReasons({
  allow: {
    UNCHANGED: proxySentences.UNCHANGED,
  },
  review: {
    // One observation says nothing about change.
    BASELINE_CREATED: "This is the first observation of the address; there is nothing to compare it with.",
    CODE_CHANGED: proxySentences.CODE_CHANGED,
    IMPLEMENTATION_CHANGED: proxySentences.IMPLEMENTATION_CHANGED,
    ADMIN_CHANGED: proxySentences.ADMIN_CHANGED,
    BEACON_CHANGED: proxySentences.BEACON_CHANGED,
    // Somebody else's observation may stand between a change and the caller who has not heard of it.
    DIFFERS_FROM_BASELINE: "Something differs from the first observation of this address on record.",
    UNPAUSED: "The contract was paused at the earlier observation and is not any more.",
    PAUSE_SWITCH_CHANGED: "The pause switch has appeared or disappeared since the earlier observation.",
    // What decides is not among the fields compared, or not known to be.
    NO_CODE: codeSentences.NO_CODE,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    PROXY_DIAMOND: proxySentences.PROXY_DIAMOND,
    CONFLICTING_PROXY_SLOTS: proxySentences.CONFLICTING_PROXY_SLOTS,
    // Asked, and not or not usably answered.
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    FIELD_UNREAD: proxySentences.FIELD_UNREAD,
    EARLIER_FIELD_UNREAD: proxySentences.EARLIER_FIELD_UNREAD,
  },
  block: {
    NOW_PAUSED: "The contract is paused and was not at the earlier observation.",
    CONTRACT_PAUSED: controlSentences.CONTRACT_PAUSED,
  },
});
