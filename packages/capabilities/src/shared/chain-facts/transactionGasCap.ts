/** The most gas that one transaction may use on Base (EIP-7825). */
export const TRANSACTION_GAS_CAP = 16_777_216;
