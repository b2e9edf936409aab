import type { Hex } from "@assay/protocol";
import type { Market } from "./launchProbe.js";
import type { FoundLiquidity } from "./planLiquidity.js";
import type { First } from "./readSubject.js";

/** Contracts that hold the token, or liquidity of its pools, and whose code came with the token. */
export const listEarlyKeepers = (
  { known, shareApprovers }: Pick<First, "known" | "shareApprovers">,
  token: Hex,
  markets: readonly Market[],
  strangers: ReadonlySet<Hex>,
): FoundLiquidity[] =>
  known.flatMap((one): FoundLiquidity[] => {
    const market = markets.find(({ pool }) => pool.pool === one.token) ?? null;
    if (market === null && one.token !== token) return [];
    const shares = one.shares.filter(({ address }) => !strangers.has(address));
    return [{ ...one, market, shares, approvers: shareApprovers.get(one.token) ?? [] }];
  });
