import type { Hex } from "@assay/protocol";
import type { Note } from "../shared/verdict/note.js";
import type { HookGuardInput } from "./input.js";
import { identifyPool, V4_POOL_MANAGER } from "./poolKey.js";
import type { HookGuardReadings } from "./readings.js";

export type PoolCode =
  | "POOL_MANAGER_KNOWN"
  | "POOL_MANAGER_UNKNOWN"
  | "POOL_MANAGER_HAS_NO_CODE"
  | "POOL_MANAGER_UNREAD"
  | "POOL_STATE_UNREAD"
  | "POOL_NOT_INITIALIZED"
  | "POOL_EMPTY"
  | "POOL_HAS_LIQUIDITY";

export interface PoolFindings {
  readonly poolId: Hex;
  /** Null where the state was not read. */
  readonly sqrtPriceX96: string | null;
  readonly tick: number | null;
  /** Hundredths of a basis point, as stored. Under a dynamic fee, the one in force where the hook sets none. */
  readonly lpFee: number | null;
  readonly protocolFee: { readonly zeroForOne: number; readonly oneForZero: number } | null;
  readonly liquidity: string | null;
}

interface PoolJudgement {
  readonly notes: Note<PoolCode>[];
  readonly pool: PoolFindings;
  /** Whether swaps in it can mean anything. */
  readonly isTradable: boolean;
}

/** The manager, and the pool's words in its storage: price, fees, liquidity. */
export function judgePool(input: HookGuardInput, { poolManager }: HookGuardReadings): PoolJudgement {
  const { poolId } = identifyPool(input);
  const { slot0, liquidity } = poolManager;
  const words = {
    slot0: slot0.status === "value" ? BigInt(slot0.value) : null,
    liquidity: liquidity.status === "value" ? BigInt(liquidity.value) & (2n ** 128n - 1n) : null,
  };
  const manager = noteManager(input.poolManager, poolManager.code);
  const state = noteState(words);
  return {
    notes: [manager, state],
    pool: { poolId, ...unpackSlot0(words.slot0), liquidity: words.liquidity?.toString() ?? null },
    isTradable:
      manager.code !== "POOL_MANAGER_HAS_NO_CODE" &&
      (state.code === "POOL_HAS_LIQUIDITY" || state.code === "POOL_STATE_UNREAD"),
  };
}

function noteManager(address: Hex, code: HookGuardReadings["poolManager"]["code"]): Note<PoolCode> {
  if (code.status === "absent" || (code.status === "value" && code.value.form === "empty")) {
    return { code: "POOL_MANAGER_HAS_NO_CODE" };
  }
  if (code.status !== "value") {
    return {
      code: "POOL_MANAGER_UNREAD",
      limitation: "The pool manager's code was not read: no node answered.",
    };
  }
  if (address === V4_POOL_MANAGER) return { code: "POOL_MANAGER_KNOWN" };
  const limitation =
    "The pool manager is not v4's on Base: its storage need not mean what it is read for, and it may treat simulated swaps as it likes.";
  return { code: "POOL_MANAGER_UNKNOWN", limitation };
}

function noteState(words: {
  readonly slot0: bigint | null;
  readonly liquidity: bigint | null;
}): Note<PoolCode> {
  if (words.slot0 === null || words.liquidity === null) {
    return { code: "POOL_STATE_UNREAD", limitation: "The pool's state was not read: no node answered." };
  }
  if ((words.slot0 & MASK_160) === 0n) return { code: "POOL_NOT_INITIALIZED" };
  if (words.liquidity === 0n) {
    const limitation =
      "Without liquidity at its price, nothing could be swapped in proportion to it; liquidity further away, or kept by the hook, was not looked for.";
    return { code: "POOL_EMPTY", limitation };
  }
  return { code: "POOL_HAS_LIQUIDITY" };
}

const MASK_160 = 2n ** 160n - 1n;

/** From the lowest bit on: 160 of price, 24 of tick, 12 and 12 of protocol fee, 24 of fee (v4-core's Slot0). */
function unpackSlot0(
  word: bigint | null,
): Pick<PoolFindings, "sqrtPriceX96" | "tick" | "lpFee" | "protocolFee"> {
  if (word === null) return { sqrtPriceX96: null, tick: null, lpFee: null, protocolFee: null };
  const bits = (from: bigint, count: bigint) => Number((word >> from) & ((1n << count) - 1n));
  return {
    sqrtPriceX96: (word & MASK_160).toString(),
    tick: Number(BigInt.asIntN(24, word >> 160n)),
    protocolFee: { zeroForOne: bits(184n, 12n), oneForZero: bits(196n, 12n) },
    lpFee: bits(208n, 24n),
  };
}
