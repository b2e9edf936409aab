import { getCapability } from "@assay/capabilities";
import {
  CLAIM_PRICE_MICRO_USD,
  challengeAnswerSchema,
  challengeRequestSchema,
  claimDetailSchema,
  claimFeedSchema,
  claimOpenedSchema,
  claimReceiptSchema,
  claimRequestSchema,
  decisionRequestSchema,
  decisionSchema,
  EXAMPLE_WALLET,
  exampleClaim,
} from "@assay/protocol";
import { claimPathSchema } from "../../routes/claim.js";
import { claimsQuerySchema } from "../../routes/claims.js";
import type { Operation } from "../operation.js";
import { paymentHeader, paymentProblems } from "../payment.js";
import { signedRoute } from "../signing.js";

const CLAIM_ID = getCapability("obligation.verdict").example.obligationId;

export function listClaimOperations(): Operation[] {
  const aboutClaim = { pathFields: claimPathSchema.shape, examples: { claimId: CLAIM_ID } };
  return [
    {
      id: "listClaims",
      method: "get",
      path: "/api/v1/claims",
      tag: "claims",
      summary: "Claims and obligations that may be challenged now",
      query: claimsQuerySchema.shape,
      answers: {
        200: {
          description: "The feed; `listFeed` says whether an empty list means that there are none.",
          schema: claimFeedSchema,
          headers: ["Cache-Control"],
        },
      },
      problems: ["invalid_input", "rate_limited", "database_unavailable"],
    },
    {
      id: "openClaim",
      method: "post",
      path: "/api/v1/claims",
      tag: "claims",
      summary: "Publish a claim about a proxy's implementation over a window of blocks",
      description:
        "The claim is recomputed before anyone pays. The opener funds the reward and pays the winner directly; the service holds nothing.",
      headers: paymentHeader,
      body: {
        schema: claimRequestSchema,
        example: exampleClaim,
      },
      price: { leastMicroUsd: CLAIM_PRICE_MICRO_USD, mostMicroUsd: CLAIM_PRICE_MICRO_USD },
      answers: {
        201: {
          description: "Published.",
          schema: claimOpenedSchema,
          headers: ["Cache-Control", "PAYMENT-RESPONSE"],
        },
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
    {
      id: "getClaim",
      method: "get",
      path: "/api/v1/claims/{claimId}",
      tag: "claims",
      summary: "One claim with the newest challenges to it",
      ...aboutClaim,
      answers: { 200: { description: "The claim.", schema: claimDetailSchema, headers: ["Cache-Control"] } },
      problems: ["invalid_input", "not_found", "rate_limited", "database_unavailable"],
    },
    {
      id: "getClaimReceipt",
      method: "get",
      path: "/api/v1/claims/{claimId}/receipt",
      tag: "claims",
      summary: "The exact bytes that the survival hash is taken over",
      ...aboutClaim,
      answers: {
        200: {
          description: "keccak256 of the body is the claim's `survivalHash`, which is also the ETag.",
          schema: claimReceiptSchema,
          headers: ["Cache-Control", "ETag"],
        },
      },
      problems: ["invalid_input", "not_found", "rate_limited", "database_unavailable"],
    },
    {
      id: "challengeClaim",
      path: "/api/v1/claims/{claimId}/challenges",
      tag: "claims",
      summary: "Hold what the chain shows against a claim",
      description:
        "Free and signed. `block` and `implementation` for an upgrade_window claim, `bytecodeHash` and `bytecodeBytes` for a bytecode claim.",
      ...signedRoute(
        "claim_challenge",
        "`<claimId>:<hash>`, the hash being keccak256 of the evidence's compact JSON: {block, implementation} or {bytecodeHash, bytecodeBytes}, in that order",
        ["not_found"],
      ),
      ...aboutClaim,
      body: {
        schema: challengeRequestSchema,
        example: { wallet: EXAMPLE_WALLET, block: 30_000_100, implementation: exampleClaim.implementation },
      },
      answers: {
        200: {
          description: "No award: `claim_correct`, `invalid_evidence` or `already_resolved`.",
          schema: challengeAnswerSchema,
          headers: ["Cache-Control"],
        },
        201: {
          description: "The first valid counterexample: the opener owes the reward.",
          schema: challengeAnswerSchema,
          headers: ["Cache-Control"],
        },
      },
    },
    {
      id: "recordDecision",
      path: "/api/v1/obligations/decisions",
      tag: "claims",
      summary: "Record what was done with a paid verdict on an obligation",
      description: "Free, signed and self-attested; one decision per call of obligation.verdict.",
      ...signedRoute("obligation_decision", "the `invocationId`", [
        "not_found",
        "foreign_invocation",
        "invocation_without_verdict",
      ]),
      body: {
        schema: decisionRequestSchema,
        example: {
          invocationId: "inv_3d725833277ea0e67c08fc96ed438c74",
          wallet: EXAMPLE_WALLET,
          decision: "accepted",
        },
      },
      answers: {
        200: {
          description: "A decision was recorded before; this is it.",
          schema: decisionSchema,
          headers: ["Cache-Control"],
        },
        201: { description: "Recorded.", schema: decisionSchema, headers: ["Cache-Control"] },
      },
    },
  ];
}
