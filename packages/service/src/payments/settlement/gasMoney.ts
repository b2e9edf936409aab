/** How long a balance that covers many settlements is used without asking again. */
const REMEMBERED_MS = 10_000;
/** Fewer settlements than this and the balance is asked with each payment. */
const PLENTY = 200n;

/** What the settler had left for gas when it was last asked, so that not every payment asks. */
export interface GasMoney {
  /** Whether it must be asked now, for a payment whose gas may cost `need` wei. */
  isDue(need: bigint): boolean;
  note(wei: bigint): void;
}

/**
 * If the remembered balance is wrong, a node refuses the simulated call or the transaction. Then nothing is charged, and only the
 * work is lost.
 */
export function createGasMoney(now: () => number = Date.now): GasMoney {
  let wei = 0n;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return {
    isDue: (need) => wei < PLENTY * need || now() - askedAtMs >= REMEMBERED_MS,
    note(balance) {
      wei = balance;
      askedAtMs = now();
    },
  };
}
