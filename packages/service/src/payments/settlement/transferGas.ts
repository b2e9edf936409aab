/** Measured on Circle's token: at most 90,000 for a plain payer. A wallet's own check gets a larger share. */
export const GAS_PER_TRANSFER = 130_000n;
export const GAS_OF_BATCH = 60_000n;
export const GAS_OF_ONE_TRANSFER = GAS_OF_BATCH + GAS_PER_TRANSFER;
export const GAS_WITH_WALLET_CODE = 600_000n;
/** Of any transaction. */
export const GAS_OF_NOTHING = 21_000n;
