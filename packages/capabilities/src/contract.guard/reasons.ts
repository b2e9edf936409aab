import type { CodeFormCode } from "../shared/code/noteCodeForm.js";
import { codeSentences } from "../shared/code/sentences.js";
import type { ControlCode } from "../shared/control/judgeControl.js";
import type { PauseCode } from "../shared/control/judgePause.js";
import { controlSentences } from "../shared/control/sentences.js";
import type { DelegationCode } from "../shared/proxies/judgeDelegation.js";
import type { ProxyCode } from "../shared/proxies/judgeProxy.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { TakingCode } from "./judgeCode.js";
import type { StandingCode } from "./judgeStanding.js";

export type ContractGuardCode =
  | CodeFormCode
  | PauseCode
  | ProxyCode
  | DelegationCode
  | ControlCode
  | TakingCode
  | StandingCode;

/** What says no more than that somebody may replace the code. */
export const replaceableCodes: ReadonlySet<ContractGuardCode> = new Set([
  "DELEGATED_ACCOUNT",
  "PROXY_EIP1967",
  "PROXY_UUPS",
  "PROXY_BEACON",
  "PROXY_EIP1822",
  "PROXY_ZEPPELINOS",
  "PROXY_DIAMOND",
  "PROXY_SAFE",
  "PROXY_ADMIN_SET",
  "PROXY_STORED",
  "PROXY_NAMED",
  "DELEGATES_BY_FUNCTION",
  "DELEGATES_PARTLY",
  "DELEGATION_UNRESOLVED",
  "ADMIN_IS_ACCOUNT",
  "ADMIN_IS_CONTRACT",
]);

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs every
 * reading answered: ordinary code or a clone of it, no proxy slot set, no pause in force.
 */
export const contractGuardReasons: Reasons<ContractGuardCode> = defineReasons({
  allow: {
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    NO_PROXY_SLOT: proxySentences.NO_PROXY_SLOT,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
    FIXED_PROXY: proxySentences.FIXED_PROXY,
    PARTY_MATCHES: "The code matches the one that is published for this address.",
    PARTY_LISTED:
      "The address is published by a known protocol; no published code was found to compare with.",
    KNOWN_ACCOUNT: "The account runs published account code.",
    UPGRADEABLE_BY_KNOWN: "The code can be replaced, by the protocol or the owners who are known for it.",
    NOT_PAUSED: controlSentences.NOT_PAUSED,
    PAUSE_ABSENT: controlSentences.PAUSE_ABSENT,
    // Reported, but does not lower the verdict: an owner of code that cannot be replaced.
    OWNER_RENOUNCED: controlSentences.OWNER_RENOUNCED,
    OWNER_IS_ACCOUNT: controlSentences.OWNER_IS_ACCOUNT,
    OWNER_IS_CONTRACT: controlSentences.OWNER_IS_CONTRACT,
    ADMIN_OWNER_RENOUNCED: controlSentences.ADMIN_OWNER_RENOUNCED,
  },
  review: {
    // Nothing to judge, or logic that bytecode does not show.
    NO_CODE: codeSentences.NO_CODE,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    // The code that runs tomorrow need not be the code read today.
    PROXY_EIP1967: proxySentences.PROXY_EIP1967,
    PROXY_UUPS: proxySentences.PROXY_UUPS,
    PROXY_BEACON: proxySentences.PROXY_BEACON,
    PROXY_EIP1822: proxySentences.PROXY_EIP1822,
    PROXY_ZEPPELINOS: proxySentences.PROXY_ZEPPELINOS,
    PROXY_DIAMOND: proxySentences.PROXY_DIAMOND,
    PROXY_SAFE: proxySentences.PROXY_SAFE,
    PROXY_ADMIN_SET: proxySentences.PROXY_ADMIN_SET,
    ADMIN_IS_ACCOUNT: controlSentences.ADMIN_IS_ACCOUNT,
    ADMIN_IS_CONTRACT: controlSentences.ADMIN_IS_CONTRACT,
    PROXY_STORED: proxySentences.PROXY_STORED,
    PROXY_NAMED: proxySentences.PROXY_NAMED,
    DELEGATES_BY_FUNCTION: proxySentences.DELEGATES_BY_FUNCTION,
    DELEGATES_PARTLY: proxySentences.DELEGATES_PARTLY,
    DELEGATION_UNRESOLVED: proxySentences.DELEGATION_UNRESOLVED,
    PROXY_SLOT_UNUSED: proxySentences.PROXY_SLOT_UNUSED,
    // Does what programs do that are made to take from those who call them.
    TAKES_APPROVED_TOKENS: "The code takes tokens that others approved and sends them to a fixed account.",
    TAKES_ETHER_FOR_NOTHING: "A function takes ether from its caller and does nothing for it.",
    PROXY_SLOT_MALFORMED: proxySentences.PROXY_SLOT_MALFORMED,
    CONFLICTING_PROXY_SLOTS: proxySentences.CONFLICTING_PROXY_SLOTS,
    TARGET_IS_PROXY: proxySentences.TARGET_IS_PROXY,
    FOLLOW_BOUND_REACHED: proxySentences.FOLLOW_BOUND_REACHED,
    // Read, without a usable answer.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    DELEGATION_UNREAD: proxySentences.DELEGATION_UNREAD,
    PARTY_IS_NO_PROXY: "A proxy is published for this address, but the code there is not a proxy.",
    PUBLISHED_CODE_UNREAD: "The code could not be compared with what is published for this address.",
    PROXY_PROBE_UNREAD: proxySentences.PROXY_PROBE_UNREAD,
    IMPLEMENTATION_UNREAD: proxySentences.IMPLEMENTATION_UNREAD,
    BEACON_UNREADABLE: proxySentences.BEACON_UNREADABLE,
    BEACON_ANSWERS_BY_CALLER: proxySentences.BEACON_ANSWERS_BY_CALLER,
    PAUSE_UNREAD: controlSentences.PAUSE_UNREAD,
    PAUSE_UNREADABLE: controlSentences.PAUSE_UNREADABLE,
    ADMIN_UNREAD: controlSentences.ADMIN_UNREAD,
    OWNER_UNREAD: controlSentences.OWNER_UNREAD,
    OWNER_UNREADABLE: controlSentences.OWNER_UNREADABLE,
  },
  block: {
    // Read, and a transaction sent now would fail or do nothing.
    CONTRACT_PAUSED: controlSentences.CONTRACT_PAUSED,
    IMPLEMENTATION_HAS_NO_CODE: proxySentences.IMPLEMENTATION_HAS_NO_CODE,
    PARTY_CODE_CHANGED: "The code is not the one that is published for this address.",
    DELEGATE_SWEEPS: "The account's delegate sends whatever the account holds to a fixed address.",
  },
});
