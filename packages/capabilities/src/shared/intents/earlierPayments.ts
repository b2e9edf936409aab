import type { Hex } from "@assay/protocol";
import type { Flow } from "./groupFlows.js";
import { findValue, type PricedCase, sumValues } from "./priceAssets.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";

type Paid = Pick<Flow, "asset" | "amount">;

/** A case with the owner's earlier payments. */
export interface PayingCase extends PricedCase {
  readonly readings: PricedCase["readings"] & Pick<TransactionIntentReadings, "history">;
}

/** Earlier payments vouch for a recipient up to this many times the largest of them, and for nothing but payments. */
const COVERED_TIMES = 3n;

/** Whether an earlier payment to this account was large enough to vouch for all of these together. */
export function isCovered(one: PayingCase, to: Hex, payments: readonly Paid[]): boolean {
  const { history } = one.readings;
  if (history === null || history.amounts.status !== "value") return false;
  const earlier = history.amounts.value.filter((entry) => entry.to === to);
  if (earlier.length === 0) return false;
  const value = sumValues(one, payments);
  const values = earlier.flatMap(({ token, largest }) => findValue(one, toPaid(token, largest)) ?? []);
  if (value !== undefined && values.length > 0)
    return values.some((largest) => value <= largest * COVERED_TIMES);
  return sumByToken(payments).every(([token, amount]) =>
    earlier.some((entry) => entry.token === token && amount <= BigInt(entry.largest) * COVERED_TIMES),
  );
}

const toPaid = (token: Hex, amount: string): Paid => ({
  asset: { kind: "erc20", token, id: null },
  amount: BigInt(amount),
});

function sumByToken(payments: readonly Paid[]): [Hex | null, bigint][] {
  const sums = new Map<Hex | null, bigint>();
  for (const { asset, amount } of payments) sums.set(asset.token, (sums.get(asset.token) ?? 0n) + amount);
  return [...sums];
}
