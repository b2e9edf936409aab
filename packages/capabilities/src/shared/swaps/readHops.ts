import { type Hex, size, slice } from "viem";
import { UnsupportedCalldata } from "./swapFunctions.js";

/** One pool on the way, in the order of the trade. A field is null where this kind of pool is not identified by it. */
export interface SwapHop {
  readonly tokenIn: Hex;
  readonly tokenOut: Hex;
  /** Hundredths of a basis point. */
  readonly fee: number | null;
  readonly tickSpacing: number | null;
  readonly stable: boolean | null;
  /** Of a V4 pool, the contract that it runs before and after a swap; zero for none. */
  readonly hooks?: Hex;
}

/** Longer ones are not met in practice, and each hop costs a simulation time. */
const MAX_HOPS = 8;
const ADDRESS_BYTES = 20;
const FEE_BYTES = 3;
const STEP_BYTES = ADDRESS_BYTES + FEE_BYTES;

interface Route {
  readonly from: Hex;
  readonly to: Hex;
  readonly stable: boolean;
  readonly factory: Hex;
}

/** The pools a swap goes through. Throws `UnsupportedCalldata` for an invalid path or one that is too long. */
export function readHops(
  fields: Readonly<Record<string, unknown>>,
  factories: readonly Hex[],
  isReversed: boolean,
): SwapHop[] {
  const hops = readAny(fields, factories, isReversed);
  if (hops.length === 0) throw new UnsupportedCalldata("has a path without a pool");
  if (hops.length > MAX_HOPS)
    throw new UnsupportedCalldata(`has a path of ${hops.length} pools, more than the ${MAX_HOPS} supported`);
  if (hops[0]?.tokenIn === hops.at(-1)?.tokenOut)
    throw new UnsupportedCalldata("has a path that ends in the token it begins with");
  return hops;
}

function readAny(
  fields: Readonly<Record<string, unknown>>,
  factories: readonly Hex[],
  isReversed: boolean,
): SwapHop[] {
  const { path, routes, tokenIn, tokenOut, fee, tickSpacing } = fields;
  if (routes !== undefined) return readRoutes(routes as readonly Route[], factories);
  if (Array.isArray(path)) return pair(path as Hex[], () => null);
  if (path !== undefined) return readPackedPath(path as Hex, isReversed);
  const pool = {
    fee: (fee as number | undefined) ?? null,
    tickSpacing: (tickSpacing as number | undefined) ?? null,
  };
  return [
    { tokenIn: lowercase(tokenIn as Hex), tokenOut: lowercase(tokenOut as Hex), ...pool, stable: null },
  ];
}

const lowercase = (address: Hex) => address.toLowerCase() as Hex;

function pair(tokens: readonly Hex[], feeOf: (hop: number) => number | null): SwapHop[] {
  return tokens.slice(1).map((tokenOut, index) => ({
    tokenIn: lowercase(tokens[index] as Hex),
    tokenOut: lowercase(tokenOut),
    fee: feeOf(index),
    tickSpacing: null,
    stable: null,
  }));
}

/** Token, fee, token, fee, … token; for an exact output the router walks it backwards. */
function readPackedPath(path: Hex, isReversed: boolean): SwapHop[] {
  const bytes = size(path);
  if (bytes < ADDRESS_BYTES + STEP_BYTES || (bytes - ADDRESS_BYTES) % STEP_BYTES !== 0)
    throw new UnsupportedCalldata("has a path that is not tokens with fees between them");
  const count = (bytes - ADDRESS_BYTES) / STEP_BYTES;
  // Checked before the path is cut into pieces, because it may be as long as the calldata.
  if (count > MAX_HOPS)
    throw new UnsupportedCalldata(`has a path of ${count} pools, more than the ${MAX_HOPS} supported`);
  const tokens = Array.from({ length: count + 1 }, (_, index) =>
    slice(path, index * STEP_BYTES, index * STEP_BYTES + ADDRESS_BYTES),
  );
  const fees = Array.from({ length: count }, (_, index) =>
    Number(slice(path, index * STEP_BYTES + ADDRESS_BYTES, (index + 1) * STEP_BYTES)),
  );
  if (isReversed) {
    tokens.reverse();
    fees.reverse();
  }
  return pair(tokens, (hop) => fees[hop] ?? null);
}

/** The caller names each pool's factory, and an unknown factory may be anyone's code. */
function readRoutes(routes: readonly Route[], factories: readonly Hex[]): SwapHop[] {
  return routes.map(({ from, to, stable, factory }, index) => {
    if (!factories.includes(lowercase(factory)))
      throw new UnsupportedCalldata("has a route through a pool factory that is not a known one");
    const next = routes[index + 1];
    if (next && lowercase(next.from) !== lowercase(to))
      throw new UnsupportedCalldata("has routes that do not follow one another");
    return { tokenIn: lowercase(from), tokenOut: lowercase(to), fee: null, tickSpacing: null, stable };
  });
}
