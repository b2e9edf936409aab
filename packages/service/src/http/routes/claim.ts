import { claimDetailSchema } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { getClaimDetail } from "../../claims/readClaims.js";
import { claimExamples, claimPath, readClaimId } from "../claimPath.js";
import { defineRoute } from "../route.js";

export const claim = defineRoute({
  operation: {
    id: "getClaim",
    method: "get",
    path: "/api/v1/claims/{claimId}",
    tag: "claims",
    summary: "One claim with the newest challenges to it",
    description: "Public, whether the feed lists the claim or not.",
    pathFields: claimPath,
    examples: claimExamples,
    noStore: true,
    answers: { 200: { description: "The claim.", schema: claimDetailSchema } },
    problems: ["invalid_input", "not_found", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler: (context: BaseContext) => async (c) => c.json(await getClaimDetail(context, readClaimId(c))),
});
