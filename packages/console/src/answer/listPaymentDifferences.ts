import type { PreparedPayment, Settlement } from "@assay/client";
import type { Receipt } from "@assay/protocol";

/** What the wallet put its name to. */
export type SignedTerms = Pick<PreparedPayment, "priceUsd" | "amount" | "payTo" | "payer">;

export interface ToldPayment {
  /** Not known for what an older page has kept. */
  readonly signed: SignedTerms | undefined;
  /** From the PAYMENT-RESPONSE header. */
  readonly settlement: Settlement | null | undefined;
  /** Undefined until it is there. */
  readonly receipt: Receipt | undefined;
}

/** In what the signed payment, the header that came with the answer and the receipt do not agree. */
export function listPaymentDifferences({ signed, settlement, receipt }: ToldPayment): string[] {
  const logged = receipt?.payment;
  const told: Readonly<Record<string, readonly (string | null | undefined)[]>> = {
    transaction: [settlement?.transaction, logged?.transaction],
    amount: [signed?.amount, settlement?.amount, logged?.amount],
    payee: [signed?.payTo, logged?.payTo],
    payer: [signed?.payer, settlement?.payer, logged?.payer],
  };
  return Object.entries(told).flatMap(([name, values]) => {
    const different = new Set(values.flatMap((value) => value?.toLowerCase() ?? []));
    return different.size > 1 ? [name] : [];
  });
}
