import { type ClaimDetail, type Hex, hash32Schema } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { getClaimDetail } from "../../claims/readClaims.js";
import { parseFields } from "../readInput.js";

export const claimPathSchema = z.object({ claimId: hash32Schema });

/** The claim that a path names. */
export const readClaimId = (c: Context): Hex =>
  parseFields(claimPathSchema, { claimId: c.req.param("claimId") }).claimId;

/** GET /api/v1/claims/{claimId}: public, listed or not. */
export const claim = (context: BaseContext, c: Context): Promise<ClaimDetail> =>
  getClaimDetail(context, readClaimId(c));
