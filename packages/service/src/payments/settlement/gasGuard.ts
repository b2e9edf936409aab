import type { Hex } from "@assay/protocol";

/** A payer, or code, that made a settlement fail is refused this long. */
export const REFUSED_MS = 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
/** Gas that payments of payers with code may use in an hour, at one process: forty of them at their limit. */
export const CODE_GAS_PER_HOUR = 24_000_000n;
const MAX_REFUSED = 10_000;

/**
 * Keeps payers from burning the settlers' gas. The code of a payer runs while its payment is settled, and can behave in a
 * simulation and fail in the transaction: nothing shows that beforehand, so one failure is enough to refuse it.
 */
export interface GasGuard {
  /** Why no gas is spent on this payer now. `code` is null for a payer without any. */
  findRefusal(payer: string, code: Hex | null): string | undefined;
  /** Counts gas that a payment of a payer with code may use; the function that it returns takes that back. */
  spendOnCode(gas: bigint): () => void;
  /** `code` is null also where the code did not use up the gas: payers share theirs with many others. */
  noteFailure(payer: string, code: Hex | null): void;
}

export function createGasGuard(now: () => number = Date.now): GasGuard {
  /** Unix milliseconds until which each payer and each code is refused. */
  const refusedUntilMs = new Map<string, number>();
  let spent: { readonly atMs: number; readonly gas: bigint }[] = [];

  const isRefused = (key: string) => (refusedUntilMs.get(key) ?? 0) > now();
  const refuse = (key: string) => {
    refusedUntilMs.delete(key);
    refusedUntilMs.set(key, now() + REFUSED_MS);
    if (refusedUntilMs.size > MAX_REFUSED)
      refusedUntilMs.delete(refusedUntilMs.keys().next().value as string);
  };
  const spentInHour = () => {
    spent = spent.filter(({ atMs }) => atMs > now() - HOUR_MS);
    return spent.reduce((sum, { gas }) => sum + gas, 0n);
  };

  return {
    findRefusal(payer, code) {
      if (isRefused(payer.toLowerCase())) return "payer_failed_settlement_within_the_hour";
      if (code === null) return undefined;
      if (isRefused(code)) return "payer_code_failed_settlement_within_the_hour";
      return spentInHour() >= CODE_GAS_PER_HOUR ? "gas_for_payers_with_code_is_used_up_this_hour" : undefined;
    },
    spendOnCode(gas) {
      const entry = { atMs: now(), gas };
      spent.push(entry);
      return () => {
        spent = spent.filter((other) => other !== entry);
      };
    },
    noteFailure(payer, code) {
      refuse(payer.toLowerCase());
      if (code !== null) refuse(code);
    },
  };
}
