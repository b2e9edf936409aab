import { claimFeedSchema } from "@assay/protocol";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { listOpenClaims } from "../../claims/readClaims.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const querySchema = z.object({ limit: limitSchema(100, 20) });

export const claims = defineRoute({
  operation: {
    id: "listClaims",
    method: "get",
    path: "/api/v1/claims",
    tag: "claims",
    summary: "Claims and obligations that may be challenged now",
    description: "Each entry names the route that takes challenges to it.",
    query: querySchema.shape,
    noStore: true,
    answers: {
      200: {
        description: "The feed; `listFeed` says whether an empty list means that there are none.",
        schema: claimFeedSchema,
      },
    },
    problems: ["invalid_input", "rate_limited", "database_unavailable"],
  },
  budget: "claimFeed",
  createHandler: (context: BaseContext) => async (c) => {
    const { limit } = parseFields(querySchema, { limit: readQuery(c).limit });
    return c.json(await listOpenClaims(context, limit));
  },
});
