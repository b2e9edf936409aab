import { claimReceiptSchema } from "@assay/protocol";
import type { BaseContext } from "../../base/context.js";
import { getClaimReceipt } from "../../claims/readClaims.js";
import { claimExamples, claimPath, readClaimId } from "../claimPath.js";
import { defineRoute } from "../route.js";

/** Answers with the stored bytes, so that anyone who hashes them gets the survival hash. */
export const claimReceipt = defineRoute({
  operation: {
    id: "getClaimReceipt",
    method: "get",
    path: "/api/v1/claims/{claimId}/receipt",
    tag: "claims",
    summary: "The exact bytes that the survival hash is taken over",
    description: "Fixed when the claim was opened, and never changed.",
    pathFields: claimPath,
    examples: claimExamples,
    answers: {
      200: {
        description: "keccak256 of the body is the claim's `survivalHash`, which is also the ETag.",
        schema: claimReceiptSchema,
        headers: ["Cache-Control", "ETag"],
      },
    },
    problems: ["invalid_input", "not_found", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler:
    ({ database }: BaseContext) =>
    async (c) => {
      const { bytes, survivalHash } = await getClaimReceipt(database, readClaimId(c));
      return c.body(new Uint8Array(bytes), 200, {
        "content-type": "application/json",
        "cache-control": "public, max-age=31536000, immutable",
        etag: `"${survivalHash}"`,
      });
    },
});
