import type { Hex } from "@assay/protocol";
import { type Asset, keyOfAsset, type NetChange } from "../effects/movements.js";
import type { IntentCase } from "./intentCase.js";

/** What a group of accounts loses and gains as a whole. Amounts are positive. */
export interface GroupFlows {
  readonly group: ReadonlySet<Hex>;
  readonly leaves: readonly Flow[];
  readonly returns: readonly Flow[];
}

export interface Flow {
  readonly asset: Asset;
  readonly amount: bigint;
  /** What the group held of it before, where that was measured. */
  readonly held: bigint | null;
  /** Accounts outside the group that have more of it at the end. */
  readonly gainers: readonly Hex[];
}

/** Null where neither a trace nor a measurement shows what the transaction does. */
export function groupFlows(one: IntentCase, group: ReadonlySet<Hex>): GroupFlows | null {
  const net = listNetChanges(one);
  if (net === null) return null;
  const sums = new Map<string, { asset: Asset; change: bigint }>();
  for (const { asset, holder, change } of net) {
    if (!group.has(holder)) continue;
    const key = keyOfAsset(asset);
    sums.set(key, { asset, change: (sums.get(key)?.change ?? 0n) + change });
  }
  const flows = [...sums.values()].map(({ asset, change }) => ({
    change,
    flow: {
      asset,
      amount: change < 0n ? -change : change,
      held: findHeld(one, group, asset),
      gainers: net
        .filter(
          (other) =>
            !group.has(other.holder) && other.change > 0n && keyOfAsset(other.asset) === keyOfAsset(asset),
        )
        .map(({ holder }) => holder),
    },
  }));
  return {
    group,
    leaves: flows.filter(({ change }) => change < 0n).map(({ flow }) => flow),
    returns: flows.filter(({ change }) => change > 0n).map(({ flow }) => flow),
  };
}

/**
 * The trace of the plain transaction decides. What the runner measured is added where a balance changed without any event,
 * and stands alone where there is no trace.
 */
export function listNetChanges({ traced, effects }: IntentCase): readonly NetChange[] | null {
  const measured = (effects?.balances ?? []).flatMap(({ holder, token, id, before, after }): NetChange[] => {
    if (after === before) return [];
    const isItem = token !== null && effects?.erc721Tokens.has(token) === true;
    const kind = token === null ? "native" : id !== null ? "erc1155" : isItem ? "erc721" : "erc20";
    return [{ asset: { kind, token, id }, holder, change: after - before }];
  });
  if (traced === null) return effects === null ? null : measured;
  const isTold = ({ holder, asset }: NetChange) =>
    asset.token === null ||
    traced.movements.some(
      (move) => move.asset.token === asset.token && (move.from === holder || move.to === holder),
    );
  return [...traced.net, ...measured.filter((change) => !isTold(change))];
}

function findHeld({ effects, readings }: IntentCase, group: ReadonlySet<Hex>, asset: Asset): bigint | null {
  if (asset.token === null)
    return readings.senderBalance.status === "value" ? BigInt(readings.senderBalance.value) : null;
  const entries = (effects?.balances ?? []).filter(
    ({ holder, token, id }) =>
      group.has(holder) && token === asset.token && id === (asset.kind === "erc1155" ? asset.id : null),
  );
  return entries.length === 0 ? null : entries.reduce((sum, { before }) => sum + before, 0n);
}
