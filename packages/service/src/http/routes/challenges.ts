import {
  bytecodeEvidenceSchema,
  type ChallengeAnswer,
  challengeResource,
  upgradeEvidenceSchema,
} from "@assay/protocol";
import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
import { challengeClaim, getChallengedClaim } from "../../claims/challengeClaim.js";
import { clientAddress } from "../clientAddress.js";
import { readSignedRequest } from "../signedRequest.js";
import { readClaimId } from "./claim.js";

/** POST /api/v1/claims/{claimId}/challenges: what somebody saw on the chain, held against a claim. */
export async function challenges(context: BaseContext, c: Context): Promise<ChallengeAnswer> {
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
  const { wallet: _, ...evidence } = body;
  return challengeClaim(context, claim, evidence, signed);
}
