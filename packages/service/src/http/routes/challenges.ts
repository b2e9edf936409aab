import {
  bytecodeEvidenceSchema,
  challengeAnswerSchema,
  challengeRequestSchema,
  challengeResource,
  EXAMPLE_WALLET,
  exampleClaim,
  upgradeEvidenceSchema,
} from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { challengeClaim, getChallengedClaim } from "../../claims/challengeClaim.js";
import { claimExamples, claimPath, readClaimId } from "../claimPath.js";
import { clientAddress } from "../clientAddress.js";
import { signedOperation } from "../openapi/signedOperation.js";
import { defineRoute } from "../route.js";
import { readSignedRequest } from "../signedRequest.js";

export const challenges = defineRoute({
  operation: {
    id: "challengeClaim",
    path: "/api/v1/claims/{claimId}/challenges",
    tag: "claims",
    summary: "Challenge a claim with a reading of the chain",
    description:
      "Free and signed. `block` and `implementation` for an upgrade_window claim, `bytecodeHash` and `bytecodeBytes` for a bytecode claim.",
    ...signedOperation(
      "claim_challenge",
      "`<claimId>:<hash>`, the hash being keccak256 of the evidence's compact JSON: {block, implementation} or {bytecodeHash, bytecodeBytes}, in that order",
      ["not_found"],
    ),
    pathFields: claimPath,
    examples: claimExamples,
    body: {
      schema: challengeRequestSchema,
      example: {
        wallet: EXAMPLE_WALLET,
        block: exampleClaim.fromBlock + 100,
        implementation: exampleClaim.implementation,
      },
    },
    answers: {
      200: {
        description: "No award: `claim_correct`, `invalid_evidence` or `already_resolved`.",
        schema: challengeAnswerSchema,
      },
      201: {
        description: "The first valid counterexample: the opener owes the reward.",
        schema: challengeAnswerSchema,
      },
    },
  },
  createHandler: (context: BaseContext) => async (c) => {
    const claimId = readClaimId(c);
    await context.limits.consume("read", clientAddress(c));
    const claim = await getChallengedClaim(context.database, claimId);
    const isBytecode = claim.assertion.type === "bytecode";
    const { body, signed } = await readSignedRequest(context, c, {
      schema: isBytecode ? bytecodeEvidenceSchema : upgradeEvidenceSchema,
      action: "claim_challenge",
      resourceOf: (evidence) => challengeResource(claimId, evidence),
      budget: "challenge",
    });
    await context.limits.consume("challengeFrom", clientAddress(c));
    const { wallet: _, ...evidence } = body;
    const answer = await challengeClaim(context, claim, evidence, signed);
    return c.json(answer, answer.resolution === "counterexample_valid" ? 201 : 200);
  },
});
