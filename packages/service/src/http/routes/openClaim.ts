import { type ClaimRequest, claimRequestSchema, inputHashOf } from "@assay/protocol";
import type { Context } from "hono";
import type { Metrics } from "../../base/metrics.js";
import { CLAIM_OPENING, verifyClaimWindow, verifyOpenable } from "../../claims/openClaim.js";
import { buildChallenge, type PaidRequest } from "../../payments/challenge.js";
import { claimSale, claimTerms } from "../../payments/claimSale.js";
import { readPaymentHeader } from "../../payments/paymentHeader.js";
import type { PaymentsContext } from "../../payments/serveReserved.js";
import { encodeChallenge } from "../challengeMemory.js";
import { clientAddress } from "../clientAddress.js";
import { challengeResponse, payAndAnswer } from "../payAndAnswer.js";
import { invalidInput, parseFields, readJsonBody, readQuery, verifyQueryNames } from "../readInput.js";

/** POST /api/v1/claims: 402 with the price, or the claim once it is paid for. */
export async function openClaim(
  context: PaymentsContext & { readonly metrics: Metrics },
  c: Context,
): Promise<Response> {
  verifyQueryNames(readQuery(c));
  const header = c.req.header("payment-signature");
  const body = (await readJsonBody(c)) ?? {};
  const origin = {
    sold: CLAIM_OPENING,
    path: "/api/v1/claims",
    clientAddress: clientAddress(c),
    terms: () => claimTerms(context),
  };
  const ask = (request: PaidRequest) =>
    challengeResponse(c, encodeChallenge(buildChallenge(context, request, "payment_required")));
  // A bare probe wants to know the price.
  if (header === undefined && Object.keys(body).length === 0) return ask({ ...origin, inputHash: undefined });

  const claim = parseFields(claimRequestSchema, body);
  verifyClaimWindow(claim);
  const request = { ...origin, inputHash: inputHashOf(CLAIM_OPENING.id, CLAIM_OPENING.version, claim) };
  if (header === undefined) {
    await context.limits.consume("claimCheck", origin.clientAddress);
    await verifyOpenable(context.chain, claim);
    return ask(request);
  }
  verifyPayer(claim, header);
  return payAndAnswer(context, c, claimSale(context, claim), request, header, 201);
}

/** The opener owes the reward, so nobody opens a claim in another's name. */
function verifyPayer({ wallet }: ClaimRequest, header: string): void {
  const payer = readPaymentHeader(header).payload.authorization.from.toLowerCase();
  if (payer !== wallet)
    throw invalidInput([{ field: "wallet", rule: `must be the wallet that pays, which is ${payer}` }]);
}
