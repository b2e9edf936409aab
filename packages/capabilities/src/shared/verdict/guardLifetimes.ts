/** How long the guards of a transaction answer for, in seconds; trade.execution.notarize compares with it. */
export const guardLifetimes = {
  "amm.swap.guard": 4,
  "transaction.intent.guard": 30,
} as const;
