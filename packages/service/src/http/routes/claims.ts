import type { ClaimFeed } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { listOpenClaims } from "../../claims/readClaims.js";
import { clientAddress } from "../clientAddress.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";

export const claimsQuerySchema = z.object({ limit: limitSchema(100, 20) });

/** GET /api/v1/claims: what may be challenged now. */
export async function claims(context: BaseContext, c: Context): Promise<ClaimFeed> {
  await context.limits.consume("claimFeed", clientAddress(c));
  const { limit } = parseFields(claimsQuerySchema, { limit: readQuery(c).limit });
  return listOpenClaims(context, limit);
}
