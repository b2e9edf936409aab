import { codeSentences } from "../shared/code/sentences.js";
import { controlSentences } from "../shared/control/sentences.js";
import { proxySentences } from "../shared/proxies/sentences.js";
import { simulationSentences } from "../shared/simulation/sentences.js";
import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";
import type { HookCode } from "./judgeHook.js";
import type { PoolCode } from "./judgePool.js";
import type { StayCode } from "./judgeStay.js";
import type { TripCode } from "./judgeTrips.js";

export type HookGuardCode = PoolCode | HookCode | TripCode | StayCode;

/**
 * What each reason means for the verdict; the most severe one decides. `allow` therefore needs the known manager, a pool that
 * trades, and round trips of both senders, in both directions and sizes, that lose what the pool's fees take and no more;
 * and no hook, or one that swaps do not call and whose part in liquidity cannot change.
 */
export const hookGuardReasons: Reasons<HookGuardCode> = defineReasons({
  allow: {
    POOL_MANAGER_KNOWN: "The pool manager is v4's on this chain.",
    POOL_HAS_LIQUIDITY: "The pool has a price, and liquidity at it.",
    NO_HOOK: "The pool has no hook.",
    HOOK_NOT_IN_SWAPS: "The hook is not called when somebody swaps.",
    // Reported only: the fee it sets is judged by what the trips cost.
    HOOK_SETS_FEE: "The hook sets the fee of swaps.",
    ROUND_TRIP_AS_STATED: "Swaps there and back lose what the pool's fees take, and no more.",
    CODE_PRESENT: codeSentences.CODE_PRESENT,
    NO_PROXY_SLOT: proxySentences.NO_PROXY_SLOT,
    LIQUIDITY_STAYS_FREE: "Liquidity that was added could be taken out again.",
    // Reported, but does not lower the verdict: nobody's funds are kept.
    LIQUIDITY_CLOSED: "The hook does not let everybody add liquidity.",
    OWNER_RENOUNCED: controlSentences.OWNER_RENOUNCED,
    OWNER_IS_ACCOUNT: controlSentences.OWNER_IS_ACCOUNT,
    OWNER_IS_CONTRACT: controlSentences.OWNER_IS_CONTRACT,
    ADMIN_OWNER_RENOUNCED: controlSentences.ADMIN_OWNER_RENOUNCED,
    MINIMAL_PROXY: codeSentences.MINIMAL_PROXY,
  },
  review: {
    // Nothing to judge by, or not the contract it appears to be.
    POOL_MANAGER_UNKNOWN: "The pool manager is not v4's on this chain, so nothing it says can be relied on.",
    POOL_NOT_INITIALIZED: "The pool manager has no pool of this key.",
    POOL_EMPTY: "The pool has no liquidity at its price.",
    POOL_DEPTH_TOO_SMALL: "The pool gives too little to measure by, with or without its hook.",
    HOOK_HAS_NO_CODE: "There is no code at the hook's address.",
    NATIVE_TOKEN_CODE: codeSentences.NATIVE_TOKEN_CODE,
    DELEGATED_ACCOUNT: codeSentences.DELEGATED_ACCOUNT,
    // Honest in the trials; its code can treat other sizes, directions and exact outputs differently.
    HOOK_STATELESS:
      "The hook's code depends on the swap alone, and may treat another size or direction differently.",
    // Honest now; its code can behave differently later, or somebody can replace the code.
    HOOK_CAN_CHANGE:
      "The hook's code depends on more than the swap, so it can behave differently at another time.",
    HOOK_RUNS_OTHER_CODE: "The hook's code can run other code in its own place, or remove itself.",
    PROXY_EIP1967: proxySentences.PROXY_EIP1967,
    PROXY_UUPS: proxySentences.PROXY_UUPS,
    PROXY_BEACON: proxySentences.PROXY_BEACON,
    PROXY_EIP1822: proxySentences.PROXY_EIP1822,
    PROXY_ZEPPELINOS: proxySentences.PROXY_ZEPPELINOS,
    PROXY_DIAMOND: proxySentences.PROXY_DIAMOND,
    PROXY_SAFE: proxySentences.PROXY_SAFE,
    PROXY_ADMIN_SET: proxySentences.PROXY_ADMIN_SET,
    PROXY_SLOT_MALFORMED: proxySentences.PROXY_SLOT_MALFORMED,
    CONFLICTING_PROXY_SLOTS: proxySentences.CONFLICTING_PROXY_SLOTS,
    TARGET_IS_PROXY: proxySentences.TARGET_IS_PROXY,
    FOLLOW_BOUND_REACHED: proxySentences.FOLLOW_BOUND_REACHED,
    ADMIN_IS_ACCOUNT: controlSentences.ADMIN_IS_ACCOUNT,
    ADMIN_IS_CONTRACT: controlSentences.ADMIN_IS_CONTRACT,
    // Measured; the caller that swaps or provides liquidity weighs it.
    HOOK_TAKES_FEE: "The hook takes a part of swaps beyond the pool's fees, at most 2 % each way.",
    POOL_FEE_HIGH: "A small swap costs more than 3 % beyond the pool's price.",
    LARGER_SWAP_FAILS: "A swap succeeds in one size and fails in another.",
    SENDERS_TREATED_APART: "Swaps of a stranger end differently from those of a well-known router.",
    CURRENCY_KEEPS_PART:
      "A currency keeps a part of its transfers: less arrives than was sent, or more leaves than was received.",
    LIQUIDITY_LOCKED: "Liquidity that was added could not be taken out again.",
    LIQUIDITY_TAXED: "Of liquidity that was added, a part did not come back.",
    // Read, without a usable answer.
    POOL_MANAGER_UNREAD: "The pool manager's code could not be read.",
    POOL_STATE_UNREAD: "The pool's price and liquidity could not be read.",
    CODE_UNREAD: codeSentences.CODE_UNREAD,
    SLOT_UNREAD: proxySentences.SLOT_UNREAD,
    PROXY_PROBE_UNREAD: proxySentences.PROXY_PROBE_UNREAD,
    IMPLEMENTATION_UNREAD: proxySentences.IMPLEMENTATION_UNREAD,
    BEACON_UNREADABLE: proxySentences.BEACON_UNREADABLE,
    BEACON_ANSWERS_BY_CALLER: proxySentences.BEACON_ANSWERS_BY_CALLER,
    ADMIN_UNREAD: controlSentences.ADMIN_UNREAD,
    OWNER_UNREAD: controlSentences.OWNER_UNREAD,
    OWNER_UNREADABLE: controlSentences.OWNER_UNREADABLE,
    LIQUIDITY_TRIAL_UNREAD: "Whether liquidity can be taken out again could not be simulated.",
    SIMULATION_UNAVAILABLE: simulationSentences.SIMULATION_UNAVAILABLE,
    SIMULATION_UNFINISHED: simulationSentences.SIMULATION_UNFINISHED,
  },
  block: {
    // Measured: a swap fails, or what goes in does not come back.
    POOL_MANAGER_HAS_NO_CODE: "There is no code at the pool manager's address.",
    IMPLEMENTATION_HAS_NO_CODE: proxySentences.IMPLEMENTATION_HAS_NO_CODE,
    SWAPS_FAIL: "Swaps in the pool fail.",
    SWAPS_ONE_WAY: "Swaps succeed in one direction and fail in the other.",
    RETURN_FAILS: "An account that swaps in the pool cannot swap back.",
    HOOK_SKIMS: "The hook takes more than 2 % of a swap beyond the pool's fees.",
    POOL_FEE_SEVERE: "A small swap costs more than 20 % beyond the pool's price.",
  },
});
