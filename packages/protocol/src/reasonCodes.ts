/**
 * Every reason a verdict can give, with the sentence a person reads. A code's meaning
 * never changes; a new meaning gets a new code.
 */
export const reasonCodes = {
  CODE_PRESENT: "The address holds executable code.",
  NO_CODE: "The address holds no code: it is a plain account, or nothing at all.",
  CODE_UNREAD: "The code of the address could not be read.",
  NATIVE_TOKEN_CODE:
    "The code is a native token's marker byte; its logic is in the node and cannot be scanned.",
  DELEGATED_ACCOUNT: "The address is a plain account that runs another contract's code (EIP-7702).",
  MINIMAL_PROXY: "The code is a minimal clone that always runs one fixed contract (EIP-1167).",
  NO_PROXY_SLOT: "No known proxy slot is set.",
  SLOT_UNREAD: "A storage slot that decides could not be read.",
  PROXY_PROBE_UNREAD: "A call that tells proxies apart got no answer.",
  PROXY_EIP1967: "The contract is an upgradeable proxy (ERC-1967).",
  PROXY_UUPS: "The proxy's implementation carries its own upgrade function (UUPS, ERC-1822).",
  PROXY_BEACON: "The contract is a proxy whose code a beacon chooses (ERC-1967).",
  PROXY_EIP1822: "The contract is an upgradeable proxy (EIP-1822).",
  PROXY_ZEPPELINOS: "The contract is an upgradeable proxy with ZeppelinOS slots.",
  PROXY_DIAMOND: "The contract is a diamond that spreads its functions over facets (ERC-2535).",
  PROXY_SAFE: "The contract is a Safe proxy; its owners can replace its code.",
  PROXY_ADMIN_SET: "A proxy admin who can replace the code is set.",
  PROXY_SLOT_MALFORMED: "A proxy slot holds more than an address.",
  CONFLICTING_PROXY_SLOTS: "Several proxy slots are set and name different code.",
  IMPLEMENTATION_UNREAD: "The code behind the proxy could not be read.",
  IMPLEMENTATION_HAS_NO_CODE: "The proxy points at an address without code.",
  BEACON_UNREADABLE: "The beacon does not name an implementation.",
  TARGET_IS_PROXY: "The code behind the proxy is itself a proxy.",
  FOLLOW_BOUND_REACHED: "The chain of proxies is longer than this check follows.",
  CONTRACT_PAUSED: "The contract is paused.",
  NOT_PAUSED: "The contract says it is not paused.",
  PAUSE_ABSENT: "The contract has no readable pause switch.",
  PAUSE_UNREAD: "The pause state could not be read.",
  PAUSE_UNREADABLE: "The contract answers paused() with neither yes nor no.",
  CHAIN_SNAPSHOT: "The newest block and its fees were read.",
  FEE_HISTORY_UNREAD: "Fee history could not be read, so no fee is suggested.",
  NO_BASE_FEE: "The block states no base fee, so no fee is suggested.",
  HEAD_OLD: "The newest block known was more than 30 seconds old.",
} as const;

export type ReasonCode = keyof typeof reasonCodes;
