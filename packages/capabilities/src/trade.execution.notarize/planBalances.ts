import type { EventLog, Hex } from "@assay/protocol";
import { listTransfers } from "../shared/events/transferEvents.js";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import { MAX_BALANCES } from "./readings.js";

export interface BalancePlace {
  readonly holder: Hex;
  /** Null for the native currency. */
  readonly token: Hex | null;
}

interface BalancePlan {
  readonly places: readonly BalancePlace[];
  /** Whether some balances are left out. */
  readonly isCut: boolean;
}

/** The accounts whose gains and losses are reported: the sender and, for a known swap, the recipient of the output. */
export function listHolders(sender: Hex, swap: DecodedSwap | null): Hex[] {
  return swap && swap.recipient !== sender ? [sender, swap.recipient] : [sender];
}

/** The balances that show whether the events are true: the swap's own tokens first, then every other token that moved. */
export function planBalances(sender: Hex, swap: DecodedSwap | null, logs: readonly EventLog[]): BalancePlan {
  const holders = listHolders(sender, swap);
  const wanted: BalancePlace[] = [];
  if (swap) {
    wanted.push({ holder: sender, token: swap.isNativeIn ? null : swap.tokenIn });
    wanted.push({ holder: swap.recipient, token: swap.isNativeOut ? null : swap.tokenOut });
  }
  for (const log of logs) {
    for (const { kind, from, to } of listTransfers(log)) {
      if (kind !== "erc20" && kind !== "wrapping") continue;
      for (const holder of holders)
        if (holder === from || holder === to) wanted.push({ holder, token: log.address });
    }
  }
  const byKey = new Map(wanted.map((place) => [`${place.holder} ${place.token}`, place]));
  const places = [...byKey.values()];
  return { places: places.slice(0, MAX_BALANCES), isCut: places.length > MAX_BALANCES };
}
