import { lowercaseAddressSchema, type Publisher } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { getPublisherRecord } from "../../market/publisherRecord.js";
import { parseFields } from "../readInput.js";

export const publisherPathSchema = z.object({ wallet: lowercaseAddressSchema });

/** GET /api/v1/publishers/{wallet}: what its audits and settled economics add up to. */
export function publisher(context: BaseContext, c: Context): Promise<Publisher> {
  const { wallet } = parseFields(publisherPathSchema, { wallet: c.req.param("wallet") });
  return getPublisherRecord(context.database, wallet);
}
