import type { Opportunities } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { listOpportunities } from "../../market/askedCapabilities.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";

export const opportunitiesQuerySchema = z.object({ limit: limitSchema(100, 20) });

/** GET /api/v1/opportunities: capabilities that were asked for, and by how many. */
export function opportunities({ database }: BaseContext, c: Context): Promise<Opportunities> {
  const { limit } = parseFields(opportunitiesQuerySchema, { limit: readQuery(c).limit });
  return listOpportunities(database, limit);
}
