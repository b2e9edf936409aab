import { type ErrorCode, paymentRequiredSchema } from "@assay/protocol";
import { z } from "zod";
import { MAX_PAYMENT_HEADER_CHARACTERS } from "../../payments/paymentHeader.js";
import { base64JsonOf } from "./headers.js";
import type { Answer } from "./operation.js";

/** The header that carries a payment. */
export const paymentHeader = {
  "PAYMENT-SIGNATURE": z
    .string()
    .max(MAX_PAYMENT_HEADER_CHARACTERS)
    .optional()
    .describe("standard base64 of an x402 version 2 payment payload that answers this route's 402")
    .meta(base64JsonOf("PaymentPayload")),
};

/** The fields that every capability takes besides its input. */
export const paymentFields = {
  query: {
    quote: z.string().optional().describe("id of a quote for this wallet and input, if one was taken"),
  },
  headers: paymentHeader,
};

/** The problems of a payment, or of the services that take it, that are not answered by a 402. */
export const paymentProblems = [
  "invalid_payment_header",
  "wallet_blocked",
  "payment_identifier_used",
  "rate_limited",
  "payment_in_flight",
  "payment_outcome_unknown",
  "chain_unavailable",
  "chain_head_stale",
  "database_unavailable",
  "facilitator_unavailable",
  "signer_unavailable",
] as const satisfies readonly ErrorCode[];

/** The answer to a caller that has not paid, or not as asked. */
export const paymentRequired: Answer = {
  name: "PaymentRequired",
  description:
    "The price, bound for two minutes. Sign one of `accepts` and send the same request again with it.",
  schema: paymentRequiredSchema,
  headers: ["Cache-Control", "PAYMENT-REQUIRED"],
};
