import type { EventLog, Hex } from "@assay/protocol";
import { findInterest } from "../events/interestEvents.js";
import { listTransfers } from "../events/transferEvents.js";

/** What can be owned. An ERC-721 item is counted, never divided. */
export interface Asset {
  readonly kind: "native" | "erc20" | "erc721" | "erc1155";
  /** Null for the native currency. */
  readonly token: Hex | null;
  /** Of an item. */
  readonly id: string | null;
}

/** An asset that moves once. The zero address creates and destroys. */
export interface Movement {
  readonly asset: Asset;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: bigint;
}

export const ZERO_ADDRESS: Hex = "0x0000000000000000000000000000000000000000";
export const NATIVE: Asset = { kind: "native", token: null, id: null };

export const keyOfAsset = ({ token, id }: Pick<Asset, "token" | "id">): string => `${token} ${id}`;

/** Every movement that calls and events of a transaction show, in the order of calls, then events. */
export function listMovements(
  moves: readonly { readonly from: Hex; readonly to: Hex; readonly value: string }[],
  logs: readonly EventLog[],
): Movement[] {
  const native = moves
    .filter(({ value }) => value !== "0")
    .map(({ from, to, value }): Movement => ({ asset: NATIVE, from, to, amount: BigInt(value) }));
  const events = logs.flatMap((log, index) =>
    listTransfers(log).map(({ kind, from, to, id, amount }) => {
      const move = {
        asset: { kind: kind === "wrapping" ? "erc20" : kind, token: log.address, id },
        from: from ?? ZERO_ADDRESS,
        to: to ?? ZERO_ADDRESS,
        amount,
      } as const;
      return kind === "erc20" ? leaveOut(findInterest(log, logs[index + 1]), move) : move;
    }),
  );
  return [...native, ...events];
}

/** The movement without interest that the balance had before: as much less is created, or more is destroyed. */
function leaveOut(interest: bigint, { asset, from, to, amount }: Movement): Movement {
  if (interest === 0n || (from === ZERO_ADDRESS) === (to === ZERO_ADDRESS))
    return { asset, from, to, amount };
  const left = from === ZERO_ADDRESS ? amount - interest : amount + interest;
  // A withdrawal of less than the interest is reported as a creation.
  return left < 0n ? { asset, from: to, to: from, amount: -left } : { asset, from, to, amount: left };
}

/** What one account has more or less of after all movements. */
export interface NetChange {
  readonly asset: Asset;
  readonly holder: Hex;
  /** Negative where it leaves. */
  readonly change: bigint;
}

/** Net changes of every account, without those that end where they began. */
export function netMovements(movements: readonly Movement[]): NetChange[] {
  const net = new Map<string, NetChange>();
  const add = (asset: Asset, holder: Hex, amount: bigint) => {
    if (holder === ZERO_ADDRESS) return;
    const key = `${holder} ${keyOfAsset(asset)}`;
    net.set(key, { asset, holder, change: (net.get(key)?.change ?? 0n) + amount });
  };
  for (const { asset, from, to, amount } of movements) {
    add(asset, from, -amount);
    add(asset, to, amount);
  }
  return [...net.values()].filter(({ change }) => change !== 0n);
}
