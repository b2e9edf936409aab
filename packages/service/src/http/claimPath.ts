import { type Hex, hash32Schema } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { EXAMPLE_CLAIM } from "./openapi/exampleIds.js";
import { parseFields } from "./readInput.js";

const pathSchema = z.object({ claimId: hash32Schema });

/** The parameter of every path about one claim. */
export const claimPath = pathSchema.shape;
export const claimExamples = { claimId: EXAMPLE_CLAIM };

/** The claim that a path names. */
export const readClaimId = (c: Context): Hex =>
  parseFields(pathSchema, { claimId: c.req.param("claimId") }).claimId;
