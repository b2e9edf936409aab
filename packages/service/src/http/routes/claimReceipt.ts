import type { Context } from "hono";
import type { BaseContext } from "../../base/context.js";
import { getClaimReceipt } from "../../claims/readClaims.js";
import { readClaimId } from "./claim.js";

/** GET /api/v1/claims/{claimId}/receipt: the stored bytes, so that whoever hashes them gets the survival hash. */
export async function claimReceipt({ database }: BaseContext, c: Context): Promise<Response> {
  const { bytes, survivalHash } = await getClaimReceipt(database, readClaimId(c));
  return c.body(new Uint8Array(bytes), 200, {
    "content-type": "application/json",
    // They were fixed when the claim was opened.
    "cache-control": "public, max-age=31536000, immutable",
    etag: `"${survivalHash}"`,
  });
}
