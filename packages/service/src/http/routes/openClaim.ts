import {
  type AnyPayment,
  CLAIM_PRICE_MICRO_USD,
  type ClaimRequest,
  claimOpenedSchema,
  claimRequestSchema,
  exampleClaim,
  inputHashOf,
} from "@assay/protocol";
import type { Context } from "hono";
import type { Metrics } from "../../base/metrics.js";
import { CLAIM_OPENING, verifyClaimWindow, verifyOpenable } from "../../claims/openClaim.js";
import { buildChallenge, type SaleRequest } from "../../payments/challenge.js";
import { claimSale, claimTerms } from "../../payments/claimSale.js";
import { payerOf, readPaymentHeader } from "../../payments/paymentHeader.js";
import type { PaymentsContext } from "../../payments/paymentsContext.js";
import { encodeChallenge } from "../challengeMemory.js";
import { clientAddress } from "../clientAddress.js";
import { paymentHeader, paymentProblems } from "../openapi/payment.js";
import { challengeResponse, payAndAnswer } from "../payAndAnswer.js";
import { invalidInput, parseFields, readJsonBody, readQuery, verifyQueryNames } from "../readInput.js";
import { defineRoute } from "../route.js";

interface OpenClaimContext extends PaymentsContext {
  readonly metrics: Metrics;
}

const PATH = "/api/v1/claims";

export const openClaim = defineRoute({
  operation: {
    id: "openClaim",
    method: "post",
    path: PATH,
    tag: "claims",
    summary: "Publish a claim about a proxy's implementation over a window of blocks",
    description:
      "The claim is recomputed before anyone pays. The opener funds the reward and pays the winner directly; the service holds nothing.",
    headers: paymentHeader,
    body: { schema: claimRequestSchema, example: exampleClaim },
    price: () => ({ leastMicroUsd: CLAIM_PRICE_MICRO_USD, mostMicroUsd: CLAIM_PRICE_MICRO_USD }),
    noStore: true,
    answers: {
      201: { description: "Published.", schema: claimOpenedSchema, headers: ["PAYMENT-RESPONSE"] },
    },
    problems: [
      "invalid_input",
      "invalid_json",
      "body_too_large",
      "unsupported_media_type",
      "claim_already_false",
      ...paymentProblems,
    ],
  },
  createHandler: (context: OpenClaimContext) => (c) => answerOpenClaim(context, c),
});

/** 402 with the price, or the claim once it is paid for. */
async function answerOpenClaim(context: OpenClaimContext, c: Context): Promise<Response> {
  verifyQueryNames(readQuery(c));
  const header = c.req.header("payment-signature");
  const body = (await readJsonBody(c)) ?? {};
  const origin = {
    sold: CLAIM_OPENING,
    path: PATH,
    clientAddress: clientAddress(c),
    terms: () => claimTerms(context),
  };
  const ask = async (request: SaleRequest) =>
    challengeResponse(c, encodeChallenge(await buildChallenge(context, request, "payment_required")));
  // A bare probe asks for the price.
  if (header === undefined && Object.keys(body).length === 0) return ask({ ...origin, inputHash: undefined });

  const claim = parseFields(claimRequestSchema, body);
  verifyClaimWindow(claim, context.chain.blockTimeMs());
  const request = { ...origin, inputHash: inputHashOf(CLAIM_OPENING.id, CLAIM_OPENING.version, claim) };
  if (header === undefined) {
    await context.limits.consume("claimCheck", origin.clientAddress);
    await verifyOpenable(context.chain, claim);
    return ask(request);
  }
  const payment = readPaymentHeader(header);
  verifyPayer(claim, payment);
  return payAndAnswer(context, c, claimSale(claim), request, payment, 201);
}

/** The opener owes the reward, so no wallet opens a claim in another's name. */
function verifyPayer({ wallet }: ClaimRequest, payment: AnyPayment): void {
  const payer = payerOf(payment);
  if (payer !== wallet)
    throw invalidInput([{ field: "wallet", rule: `must be the wallet that pays, which is ${payer}` }]);
}
