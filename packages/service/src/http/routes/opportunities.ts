import { opportunitiesSchema } from "@assay/protocol";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { listOpportunities } from "../../market/askedCapabilities.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const querySchema = z.object({ limit: limitSchema(100, 20) });

export const opportunities = defineRoute({
  operation: {
    id: "listOpportunities",
    method: "get",
    path: "/api/v1/opportunities",
    tag: "market",
    summary: "Capabilities that were asked or pledged for, and by how many",
    description: "Names that quotes were asked for or that wallets pledged to use, built or not.",
    query: querySchema.shape,
    answers: { 200: { description: "Without anyone's name.", schema: opportunitiesSchema } },
    problems: ["invalid_input", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler:
    ({ database }: BaseContext) =>
    async (c) => {
      const { limit } = parseFields(querySchema, { limit: readQuery(c).limit });
      return c.json(await listOpportunities(database, limit));
    },
});
