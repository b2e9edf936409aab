import { addressSchema, type Hex, hash32Schema } from "@assay/protocol";
import { x402Client, x402HTTPClient } from "@x402/core/client";
import type { HttpAnswer } from "./exchange.js";

/** How a payment was settled, from the PAYMENT-RESPONSE header. */
export interface Settlement {
  readonly transaction: Hex;
  readonly network: string;
  readonly payer: Hex | undefined;
  /** Atomic units of the asset. */
  readonly amount: string | undefined;
}

/** Null when the header is missing or unreadable: the answer itself is still good. */
export function readSettlement({ headers }: HttpAnswer): Settlement | null {
  try {
    const { transaction, network, payer, amount } = new x402HTTPClient(
      new x402Client(),
    ).getPaymentSettleResponse((name) => headers.get(name));
    return {
      transaction: hash32Schema.parse(transaction),
      network: String(network),
      payer: addressSchema.safeParse(payer).data,
      amount: typeof amount === "string" ? amount : undefined,
    };
  } catch {
    return null;
  }
}
