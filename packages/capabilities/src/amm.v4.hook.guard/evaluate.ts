import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import type { HookGuardInput } from "./input.js";
import { judgeHook } from "./judgeHook.js";
import { judgePool } from "./judgePool.js";
import { judgeStay } from "./judgeStay.js";
import { judgeTrips } from "./judgeTrips.js";
import type { HookGuardReadings } from "./readings.js";
import { type HookGuardCode, hookGuardReasons } from "./reasons.js";

const ALWAYS = [
  "Round trips were simulated at the stated block, with empty hook data, in two sizes and both directions, by a stranger and in the place of the well-known router, whose own code did not run; a hook can treat other senders, sizes, hook data and times differently.",
  "Each swap was compared with the same one in the same pool made by the hook's own address, which v4 does not call the hook for: the difference is the hook's, the rest the pool's fees and the swap's own weight.",
  "The currencies themselves are not judged; token.launch.guard does that.",
  "State proofs cover the manager's code, the pool's price and liquidity, and the hook's code and slots; what simulated calls answered is as the node gave it.",
];

/** Judges a v4 pool by its manager, its state, its hook's code and what swaps there and back cost. */
export function evaluateHookGuard(input: HookGuardInput, readings: HookGuardReadings) {
  const pool = judgePool(input, readings);
  const hook = judgeHook(input, readings);
  const root = pool.pool.sqrtPriceX96;
  const trips = pool.isTradable ? judgeTrips(input, readings, root === null ? null : BigInt(root)) : null;
  const stay = pool.isTradable ? judgeStay(readings) : [];
  const notes: Note<HookGuardCode>[] = [...pool.notes, ...hook.notes, ...(trips?.notes ?? []), ...stay];
  return {
    verdict: worstVerdict(notes, hookGuardReasons),
    reasonCodes: unique(notes.map(({ code }) => code)),
    summary: `Pool ${pool.pool.poolId}: ${decidingSentences(notes, hookGuardReasons)}`,
    findings: { pool: pool.pool, hook: hook.hook, trips: trips?.trips ?? [] },
    limitations: unique([...ALWAYS, ...notes.flatMap(({ limitation }) => limitation ?? [])]),
  } satisfies Evaluation;
}
