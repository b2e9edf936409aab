/** One place in a source that a control leaves out while it is loaded. `file` from the package's folder; `from` stands in it once. */
export interface Removal {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Protections that are lines of the code itself, each as it stands in the source and in what is built of it. */
export const sourceProtections = {
  "what may still be mined is unknown, not failed": {
    file: "src/payments/settlement/delivery.ts",
    from: 'const isUncertain = outcome.status !== "settled" && item.underWay.size > 0;',
    to: "const isUncertain = false;",
  },
  "a refused payment that was delivered is owed its answer": {
    file: "src/payments/servePayment.ts",
    from: "const isOwed = isRefused && (await isDeliveredMeanwhile(call));",
    to: "const isOwed = false;",
  },
  "what is owed needs neither ticket nor name": {
    file: "src/payments/reserve.ts",
    from: "return isTaken ? reserve(call, { ...owed, isNameless: true }) : reservation;",
    to: "return reservation;",
  },
  "an owed call takes its quote where that is free": {
    file: "src/payments/reserve.ts",
    from: "(await consumeQuote(tx, quoteId, invocationId, true))",
    to: "quoteId !== null",
  },
  "an owed call goes without a quote that another one has": {
    file: "src/payments/reserve.ts",
    from: "(await consumeQuote(tx, quoteId, invocationId, true))",
    to: "((await consumeQuote(tx, quoteId, invocationId, true)) || true)",
  },
  "a failed call is looked up on the chain before it begins again": {
    file: "src/payments/servePayment.ts",
    from: "(await reopenIfUsed(call, invocation)) ?? ",
    to: "",
  },
  "a payment that was delivered during the work is not refused": {
    file: "src/payments/servePayment.ts",
    from: 'if (verification.status === "valid" && (hasEnded || expiredMeanwhile) && (await isDeliveredSoFar(reserved)))',
    to: "if (false)",
  },
  "a payment is dead once a final block says so": {
    file: "src/payments/paymentFate.ts",
    from: "if (!finalized || BigInt(finalized.timestamp) <= invocation.validBefore) {",
    to: "if (!finalized || BigInt(finalized.timestamp) < 0n) {",
  },
  "settled payments are looked at again when they are final": {
    file: "src/payments/confirmSettlements.ts",
    from: "for (const row of rows.filter((one) => found.has(transactionOf(one)) && !isPaid(one)))",
    to: "for (const row of [])",
  },
  "a deposit that a reorganisation undid is made again": {
    file: "src/payments/channels/claimVouchers.ts",
    from: "const undone = due.filter(({ isMade }) => !isMade).map(({ kept }) => kept.deposit);",
    to: "const undone = [];",
  },
  "a claim that a reorganisation undid is made again": {
    file: "src/payments/channels/claimVouchers.ts",
    from: "const isLost = state.claimed < row.newest;",
    to: "const isLost = false;",
  },
} satisfies Record<string, Removal>;

export type SourceProtectionName = keyof typeof sourceProtections;
