/** In basis points. Above this a person should decide. */
export const HIGH_TAX_BPS = 1_000;
/** In basis points. From here on most of the money is gone. */
export const CONFISCATORY_TAX_BPS = 5_000;
