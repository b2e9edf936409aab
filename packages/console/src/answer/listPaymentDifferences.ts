import type { PreparedPayment, Settlement } from "@assay/client";
import type { Receipt } from "@assay/protocol";

/** The terms that the wallet signed. */
export type SignedTerms = Pick<PreparedPayment, "priceUsd" | "amount" | "payTo" | "payer">;

export interface ReportedPayment {
  /** Not known for an answer that an older version of this page kept. */
  readonly signed: SignedTerms | undefined;
  /** From the PAYMENT-RESPONSE header. */
  readonly settlement: Settlement | null | undefined;
  /** Undefined until it is fetched. */
  readonly receipt: Receipt | undefined;
}

/** The fields in which the signed payment, the header of the answer and the receipt do not agree. */
export function listPaymentDifferences({ signed, settlement, receipt }: ReportedPayment): string[] {
  const logged = receipt?.payment;
  const reported: Readonly<Record<string, readonly (string | null | undefined)[]>> = {
    transaction: [settlement?.transaction, logged?.transaction],
    amount: [signed?.amount, settlement?.amount, logged?.amount],
    payee: [signed?.payTo, logged?.payTo],
    payer: [signed?.payer, settlement?.payer, logged?.payer],
  };
  return Object.entries(reported).flatMap(([name, values]) => {
    const different = new Set(values.flatMap((value) => value?.toLowerCase() ?? []));
    return different.size > 1 ? [name] : [];
  });
}
