import type { Note } from "../shared/verdict/note.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import type { TokenLaunchReadings } from "./readings.js";

export type LiquidityCode =
  | "LIQUIDITY_BURNT"
  | "LIQUIDITY_WITH_OWNER"
  | "LIQUIDITY_HOLDER_UNKNOWN"
  | "LIQUIDITY_UNREAD";

interface LiquidityJudgement {
  readonly notes: Note<LiquidityCode>[];
  /** Shares of the deepest pair in basis points; null when it is no pair or was not read. */
  readonly liquidity: {
    readonly pool: string;
    readonly burntBps: number;
    readonly ownerBps: number | null;
    readonly tokenBps: number;
    readonly elsewhereBps: number;
  } | null;
}

const WHOLE_BPS = 10_000;
/** With this share burnt, the remaining holders cannot empty the pool. */
const BURNT_ENOUGH_BPS = 9_000;
/** A holder of this share or more moves the price by withdrawing. */
const LARGE_SHARE_BPS = 1_000;

/** Judges who could withdraw the pool's liquidity. */
export function judgeLiquidity({ liquidity, pools }: TokenLaunchReadings): LiquidityJudgement {
  if (liquidity === null) {
    const isRead = pools.status === "value";
    const limitation = "Who holds the liquidity of a concentrated pool is not read.";
    return { notes: isRead ? [{ code: "LIQUIDITY_HOLDER_UNKNOWN", limitation }] : [], liquidity: null };
  }
  const { pool, totalSupply, atZero, atDead, atOwner, atToken } = liquidity;
  const total = readOneWord(totalSupply);
  const shares = [atZero, atDead, atToken, ...(atOwner === null ? [] : [atOwner])].map(readOneWord);
  if (total === null || total === 0n || shares.some((share) => share === null)) {
    const limitation = `The shares of the pair ${pool} were not read.`;
    return { notes: [{ code: "LIQUIDITY_UNREAD", limitation }], liquidity: null };
  }
  const bps = (share: bigint | null | undefined) => Number(((share ?? 0n) * 10_000n) / total);
  const [zero, dead, token, owner] = shares;
  const burntBps = bps((zero ?? 0n) + (dead ?? 0n));
  const ownerBps = atOwner === null ? null : bps(owner);
  const tokenBps = bps(token);
  const elsewhereBps = Math.max(0, WHOLE_BPS - burntBps - tokenBps - (ownerBps ?? 0));
  return {
    notes: note(burntBps, (ownerBps ?? 0) + tokenBps),
    liquidity: { pool, burntBps, ownerBps, tokenBps, elsewhereBps },
  };
}

function note(burntBps: number, ownerBps: number): Note<LiquidityCode>[] {
  if (ownerBps >= LARGE_SHARE_BPS) return [{ code: "LIQUIDITY_WITH_OWNER" }];
  if (burntBps >= BURNT_ENOUGH_BPS) return [{ code: "LIQUIDITY_BURNT" }];
  const limitation =
    "Most of the pair's liquidity is held neither by the owner nor by a burn address; lockers are not recognised, and its holders can withdraw it.";
  return [{ code: "LIQUIDITY_HOLDER_UNKNOWN", limitation }];
}
