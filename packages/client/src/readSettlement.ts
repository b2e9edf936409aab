import { addressSchema, type Hex, hash32Schema } from "@assay/protocol";
import { decodeHeader } from "./decodeHeader.js";
import type { HttpAnswer } from "./exchange.js";

/** How a payment was settled, from the PAYMENT-RESPONSE header. */
export interface Settlement {
  readonly transaction: Hex;
  readonly network: string;
  readonly payer: Hex | undefined;
  /** Atomic units of the asset. */
  readonly amount: string | undefined;
}

/** Null when the header is missing or unreadable: the answer itself is still valid. */
export function readSettlement({ headers }: HttpAnswer): Settlement | null {
  const settled = Object(decodeHeader(headers.get("payment-response"))) as Record<string, unknown>;
  const transaction = hash32Schema.safeParse(settled.transaction).data;
  if (!transaction) return null;
  const { network, payer, amount } = settled;
  return {
    transaction,
    network: String(network),
    payer: addressSchema.safeParse(payer).data,
    amount: typeof amount === "string" ? amount : undefined,
  };
}
