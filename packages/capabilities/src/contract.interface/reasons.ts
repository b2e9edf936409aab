import { codeSentences } from "../shared/code/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { StandardCode } from "./judgeStandards.js";

export type SubjectCode =
  | "CODE_PRESENT"
  | "NO_CODE"
  | "CODE_UNREAD"
  | "NATIVE_TOKEN_CODE"
  | "DELEGATED_ACCOUNT"
  | "MINIMAL_PROXY"
  | "CODE_TOO_LARGE"
  | "SCAN_UNFINISHED";
export type ProxyCode =
  | "NO_PROXY_SLOT"
  | "SLOT_UNREAD"
  | "PROXY_EIP1967"
  | "PROXY_BEACON"
  | "PROXY_EIP1822"
  | "PROXY_ZEPPELINOS"
  | "PROXY_ADMIN_SET"
  | "PROXY_SLOT_MALFORMED"
  | "CONFLICTING_PROXY_SLOTS"
  | "IMPLEMENTATION_UNREAD"
  | "IMPLEMENTATION_HAS_NO_CODE"
  | "BEACON_UNREADABLE"
  | "BEACON_ANSWERS_BY_CALLER"
  | "TARGET_IS_PROXY"
  | "FOLLOW_BOUND_REACHED";
export type ContractInterfaceCode = SubjectCode | ProxyCode | StandardCode;

/**
 * What each reason means for the verdict; the most severe one decides. Nothing here blocks: which standards a contract
 * follows is no danger by itself. `allow` needs every reading answered, no code that can be replaced, and
 * selectors, claims and answers that agree.
 */
export const contractInterfaceReasons: Reasons<ContractInterfaceCode> = defineReasons({
  allow: {
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    NO_PROXY_SLOT: proxySentences.NO_PROXY_SLOT,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
    ERC20_DETECTED: "The contract appears to be an ERC-20 token.",
    ERC721_DETECTED: "The contract appears to be an ERC-721 collection.",
    ERC1155_DETECTED: "The contract appears to be an ERC-1155 collection.",
    ERC165_DETECTED: "The contract says which interfaces it supports (ERC-165).",
    NO_STANDARD_DETECTED: "None of the standards looked for was found.",
  },
  review: {
    // Nothing to scan, or logic that bytecode does not show.
    NO_CODE: codeSentences.NO_CODE,
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    // The functions of tomorrow need not be those found today.
    PROXY_EIP1967: proxySentences.PROXY_EIP1967,
    PROXY_BEACON: proxySentences.PROXY_BEACON,
    PROXY_EIP1822: proxySentences.PROXY_EIP1822,
    PROXY_ZEPPELINOS: proxySentences.PROXY_ZEPPELINOS,
    PROXY_ADMIN_SET: proxySentences.PROXY_ADMIN_SET,
    PROXY_SLOT_MALFORMED: proxySentences.PROXY_SLOT_MALFORMED,
    CONFLICTING_PROXY_SLOTS: proxySentences.CONFLICTING_PROXY_SLOTS,
    IMPLEMENTATION_HAS_NO_CODE: proxySentences.IMPLEMENTATION_HAS_NO_CODE,
    TARGET_IS_PROXY: proxySentences.TARGET_IS_PROXY,
    FOLLOW_BOUND_REACHED: proxySentences.FOLLOW_BOUND_REACHED,
    // The evidence contradicts itself, or is not enough.
    ERC165_NOT_FOLLOWED: "The contract answers yes to supportsInterface(), but not by the rules of ERC-165.",
    ERC165_CLAIM_WITHOUT_SELECTORS: "The contract claims an interface whose functions are not in its code.",
    SELECTORS_WITHOUT_ERC165_CLAIM:
      "The code has the functions of an interface that the contract does not claim.",
    PROBE_CONTRADICTS_SELECTORS: "The result of a call contradicts the functions found in the code.",
    STANDARD_UNCERTAIN: "For some standard the evidence is incomplete or contradicts itself.",
    // Read, without a usable answer.
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    INTERFACE_PROBE_UNREAD: "A call that distinguishes standards was not answered.",
    IMPLEMENTATION_UNREAD: proxySentences.IMPLEMENTATION_UNREAD,
    BEACON_UNREADABLE: proxySentences.BEACON_UNREADABLE,
    BEACON_ANSWERS_BY_CALLER: proxySentences.BEACON_ANSWERS_BY_CALLER,
    CODE_TOO_LARGE: "The code is longer than what is scanned.",
    SCAN_UNFINISHED: "The code could not be scanned to its end.",
  },
});
