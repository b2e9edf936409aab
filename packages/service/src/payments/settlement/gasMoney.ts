/** How long a balance is believed that suffices for many settlements. */
const BELIEVED_MS = 10_000;
/** Fewer settlements than this and the balance is asked with each payment. */
const PLENTY = 200n;

/** What the settler had left for gas when it was last asked, so that not every payment asks. */
export interface GasMoney {
  /** Whether it must be asked now, for a payment whose gas may cost `need` wei. */
  isDue(need: bigint): boolean;
  note(wei: bigint): void;
}

/**
 * Where the belief turns out wrong, a node refuses the simulated call or the transaction, and nothing is charged either: only the work
 * was for nothing.
 */
export function createGasMoney(now: () => number = Date.now): GasMoney {
  let wei = 0n;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return {
    isDue: (need) => wei < PLENTY * need || now() - askedAtMs >= BELIEVED_MS,
    note(balance) {
      wei = balance;
      askedAtMs = now();
    },
  };
}
