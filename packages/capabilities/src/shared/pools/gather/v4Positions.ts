import type { ChainLog } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import {
  type AbiParameter,
  type DecodeAbiParametersReturnType,
  decodeAbiParameters,
  parseAbiParameters,
  toEventSelector,
} from "viem";
import { rootAt } from "../positionMath.js";

export const MODIFY_LIQUIDITY = toEventSelector(
  "ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)",
);
const changed = parseAbiParameters("int24, int24, int256, bytes32");
const Q96 = 2n ** 96n;

/** Where a pool of V4 stands: the root of its price times 2^96, its tick, and the liquidity that is in range. */
export interface V4State {
  readonly root: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
}

export interface V4Position {
  /** Who called the manager; a manager of positions did so for the owner of the position that `salt` numbers. */
  readonly holder: Hex;
  readonly salt: Hex;
  readonly lower: number;
  readonly upper: number;
  readonly liquidity: bigint;
}

/** Every position in a pool, as the manager's events say; null where these do not add up to what the manager counts. */
export function listPositions(logs: readonly ChainLog[], id: Hex, state: V4State): V4Position[] | null {
  const sums = new Map<string, V4Position>();
  for (const { topics, data } of logs) {
    const [kind, pool, sender] = topics;
    if (kind !== MODIFY_LIQUIDITY || pool !== id || sender === undefined) continue;
    const change = decodeOrNull(changed, data);
    if (change === null) continue;
    const [lower, upper, delta, salt] = change;
    const key = `${sender}${salt}${lower}:${upper}`;
    const liquidity = (sums.get(key)?.liquidity ?? 0n) + delta;
    sums.set(key, { holder: `0x${sender.slice(26)}`, salt, lower, upper, liquidity });
  }
  const positions = [...sums.values()].filter(({ liquidity }) => liquidity > 0n);
  const inRange = positions
    .filter(({ lower, upper }) => lower <= state.tick && state.tick < upper)
    .reduce((sum, { liquidity }) => sum + liquidity, 0n);
  return inRange === state.liquidity ? positions : null;
}

/** What a position has of the pool's two currencies between two prices, while the pool stands at `root`. */
function holdingsOf({ lower, upper, liquidity }: V4Position, root: bigint): readonly [bigint, bigint] {
  const [from, to] = [rootAt(lower), rootAt(upper)];
  const now = root < from ? from : root > to ? to : root;
  return [(liquidity * (to - now) * Q96) / (now * to), (liquidity * (now - from)) / Q96];
}

/** What a position is worth in the pool's second currency. */
export function worthOf(position: V4Position, { root }: V4State): bigint {
  const [first, second] = holdingsOf(position, root);
  return ((first * root * root) >> 192n) + second;
}

/**
 * The depth in both currencies: what positions have of the token, and what purchases pay in until the price is four times as high.
 * Over the whole range that is what the pool has of the quote; a position in a narrow range counts for no more than fits into it.
 */
export function measureDepth(
  positions: readonly V4Position[],
  state: V4State,
  isQuoteFirst: boolean,
): { readonly inQuote: bigint; readonly inToken: bigint } {
  let [inQuote, inToken] = [0n, 0n];
  for (const position of positions) {
    const { now, later } = quoteOf(position, state, isQuoteFirst);
    inQuote += later - now;
    inToken += holdingsOf(position, state.root)[isQuoteFirst ? 1 : 0];
  }
  return { inQuote, inToken };
}

/** What a position has of the quote now, and once the price is four times as high. */
export function quoteOf(
  position: V4Position,
  { root }: V4State,
  isQuoteFirst: boolean,
): { readonly now: bigint; readonly later: bigint } {
  const place = isQuoteFirst ? 0 : 1;
  const dearer = isQuoteFirst ? root / 2n || 1n : root * 2n;
  return { now: holdingsOf(position, root)[place], later: holdingsOf(position, dearer)[place] };
}

/** Null for what a node made up. */
export function decodeOrNull<const P extends readonly AbiParameter[]>(
  parameters: P,
  data: Hex,
): DecodeAbiParametersReturnType<P> | null {
  try {
    return decodeAbiParameters(parameters, data);
  } catch {
    return null;
  }
}
