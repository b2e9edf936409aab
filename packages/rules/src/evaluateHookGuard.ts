import type { CapabilityInput, Verdict } from "@assay/protocol";
import type { Evaluation } from "./evaluation.js";
import { type HookCode, judgeHook } from "./hook/judgeHook.js";
import { judgePool, type PoolCode } from "./hook/judgePool.js";
import { judgeStay, type StayCode } from "./hook/judgeStay.js";
import { judgeTrips, type TripCode } from "./hook/judgeTrips.js";
import type { HookGuardReadings } from "./hookGuardReadings.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";

export const hookGuardRule = { id: "amm.v4.hook.guard", version: "1.0.0" } as const;

export type HookGuardCode = PoolCode | HookCode | TripCode | StayCode;

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs the known manager, a pool that
 * trades, and round trips of both senders, in both directions and sizes, that lose what the pool's fees take and no more;
 * and no hook, or one that swaps do not call and whose part in liquidity cannot change.
 */
export const hookGuardVerdicts: Readonly<Record<HookGuardCode, Verdict>> = {
  POOL_MANAGER_KNOWN: "allow",
  POOL_HAS_LIQUIDITY: "allow",
  NO_HOOK: "allow",
  HOOK_NOT_IN_SWAPS: "allow",
  // Told: what it sets is judged by what the trips cost.
  HOOK_SETS_FEE: "allow",
  ROUND_TRIP_AS_STATED: "allow",
  CODE_PRESENT: "allow",
  NO_PROXY_SLOT: "allow",
  LIQUIDITY_STAYS_FREE: "allow",
  // Told, not held against it: nobody's funds are kept.
  LIQUIDITY_CLOSED: "allow",
  OWNER_RENOUNCED: "allow",
  OWNER_IS_ACCOUNT: "allow",
  OWNER_IS_CONTRACT: "allow",
  ADMIN_OWNER_RENOUNCED: "allow",
  MINIMAL_PROXY: "allow",

  // Nothing to judge by, or not what it is taken for.
  POOL_MANAGER_UNKNOWN: "review",
  POOL_NOT_INITIALIZED: "review",
  POOL_EMPTY: "review",
  POOL_DEPTH_TOO_SMALL: "review",
  HOOK_HAS_NO_CODE: "review",
  NATIVE_TOKEN_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  // Honest in what was tried; its code can tell other sizes, directions and exact outputs apart.
  HOOK_STATELESS: "review",
  // Honest now; the code lets it be otherwise, or lets somebody put other code in its place.
  HOOK_CAN_CHANGE: "review",
  HOOK_RUNS_OTHER_CODE: "review",
  PROXY_EIP1967: "review",
  PROXY_UUPS: "review",
  PROXY_BEACON: "review",
  PROXY_EIP1822: "review",
  PROXY_ZEPPELINOS: "review",
  PROXY_DIAMOND: "review",
  PROXY_SAFE: "review",
  PROXY_ADMIN_SET: "review",
  PROXY_SLOT_MALFORMED: "review",
  CONFLICTING_PROXY_SLOTS: "review",
  TARGET_IS_PROXY: "review",
  FOLLOW_BOUND_REACHED: "review",
  ADMIN_IS_ACCOUNT: "review",
  ADMIN_IS_CONTRACT: "review",
  // Measured, and to be weighed by whoever swaps or provides liquidity.
  HOOK_TAKES_FEE: "review",
  POOL_FEE_HIGH: "review",
  LARGER_SWAP_FAILS: "review",
  SENDERS_TREATED_APART: "review",
  CURRENCY_KEEPS_PART: "review",
  LIQUIDITY_LOCKED: "review",
  LIQUIDITY_TAXED: "review",
  // Asked, and not or not usably answered.
  POOL_MANAGER_UNREAD: "review",
  POOL_STATE_UNREAD: "review",
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  PROXY_PROBE_UNREAD: "review",
  IMPLEMENTATION_UNREAD: "review",
  BEACON_UNREADABLE: "review",
  BEACON_ANSWERS_BY_CALLER: "review",
  ADMIN_UNREAD: "review",
  OWNER_UNREAD: "review",
  OWNER_UNREADABLE: "review",
  LIQUIDITY_TRIAL_UNREAD: "review",
  SIMULATION_UNAVAILABLE: "review",
  SIMULATION_UNFINISHED: "review",

  // Measured: a swap fails, or what goes in does not come back.
  POOL_MANAGER_HAS_NO_CODE: "block",
  IMPLEMENTATION_HAS_NO_CODE: "block",
  SWAPS_FAIL: "block",
  SWAPS_ONE_WAY: "block",
  RETURN_FAILS: "block",
  HOOK_SKIMS: "block",
  POOL_FEE_SEVERE: "block",
};

const ALWAYS = [
  "Round trips were simulated at the stated block, with empty hook data, in two sizes and both directions, by a stranger and in the place of the well-known router, whose own code did not run; a hook can treat other senders, sizes, hook data and times differently.",
  "Each swap was compared with the same one in the same pool made by the hook's own address, which v4 does not call the hook for: the difference is the hook's, the rest the pool's fees and the swap's own weight.",
  "The currencies themselves are not judged; token.launch.guard does that.",
  "State proofs cover the manager's code, the pool's price and liquidity, and the hook's code and slots; what simulated calls answered is as the node gave it.",
];

/** Judges a v4 pool by its manager, its state, its hook's code and what swaps there and back cost. */
export function evaluateHookGuard(input: CapabilityInput<"amm.v4.hook.guard">, readings: HookGuardReadings) {
  const pool = judgePool(input, readings);
  const hook = judgeHook(input, readings);
  const root = pool.pool.sqrtPriceX96;
  const trips = pool.isTradable ? judgeTrips(input, readings, root === null ? null : BigInt(root)) : null;
  const stay = pool.isTradable ? judgeStay(readings) : [];
  const notes: Note<HookGuardCode>[] = [...pool.notes, ...hook.notes, ...(trips?.notes ?? []), ...stay];
  return {
    verdict: worstVerdict(notes, hookGuardVerdicts),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `Pool ${pool.pool.poolId}: ${decidingSentences(notes, hookGuardVerdicts)}`,
    findings: { pool: pool.pool, hook: hook.hook, trips: trips?.trips ?? [] },
    limitations: unique([...ALWAYS, ...notes.flatMap(({ limitation }) => limitation ?? [])]),
  } satisfies Evaluation;
}
