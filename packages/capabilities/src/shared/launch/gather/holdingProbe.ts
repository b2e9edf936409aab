import type { CallRead, StateOverrides } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import { actThrough, callLaunchProbe, launchProbe } from "../../pools/gather/findPools.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { Market } from "./launchProbe.js";

const { abi } = launchProbe;

/** Positions of the pool's manager: the newest of all, and those of each owner. */
export function readPositions(
  { pool, token }: Market,
  manager: Hex,
  sender: Hex,
  owners: readonly Hex[],
): CallRead {
  const [token0, token1] = token < (pool.quote as Hex) ? [token, pool.quote] : [pool.quote, token];
  const search = { manager, token0, token1, fee: pool.tickSpacing ?? pool.fee, most: 24n };
  return callLaunchProbe(sender, "findPositions", [search, owners], {});
}

export interface PoolPosition {
  readonly owner: Hex;
  readonly liquidity: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
  /** The code of the owner, with the first of its positions alone. */
  readonly code: Hex;
}

export function parsePositions(answer: Reading<Hex>): Reading<PoolPosition[]> {
  return parseProbeAnswer(answer, (data) =>
    (decodeFunctionResult({ abi, functionName: "findPositions", data }) as readonly PoolPosition[]).map(
      ({ owner, liquidity, tickLower, tickUpper, code }) => ({
        owner: owner.toLowerCase() as Hex,
        liquidity,
        tickLower,
        tickUpper,
        code,
      }),
    ),
  );
}

/** Whether calls of these accounts make a contract give up shares of a pool. */
export function readDrain(
  sender: Hex,
  { keeper, shares, quote, pool }: { keeper: Hex; shares: Hex; quote: Hex; pool: Hex },
  trials: readonly { readonly caller: Hex; readonly calls: readonly Hex[] }[],
  replaced: StateOverrides = {},
): CallRead {
  const encoded = trials.map(({ caller, calls }) => ({ caller, calls, isSequence: true }));
  const callers = [...new Set(trials.map(({ caller }) => caller))];
  const others = {
    ...Object.fromEntries(callers.map((caller) => [caller, { code: actThrough(sender) }])),
    ...replaced,
  };
  return callLaunchProbe(sender, "drain", [keeper, shares, quote, pool, encoded], others);
}

/** For each trial whether it was refused, accepted without effect, or drained the keeper; 0 where it did not run. */
export const parseDrain = (answer: Reading<Hex>): Reading<readonly number[]> =>
  parseProbeAnswer(
    answer,
    (data) => decodeFunctionResult({ abi, functionName: "drain", data }) as readonly number[],
  );
