import { EXAMPLE_WALLET, lowercaseAddressSchema, publisherSchema } from "@assay/protocol";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { getPublisherRecord } from "../../market/publisherRecord.js";
import { parseFields } from "../readInput.js";
import { defineRoute } from "../route.js";

const pathSchema = z.object({ wallet: lowercaseAddressSchema });

export const publisher = defineRoute({
  operation: {
    id: "getPublisher",
    method: "get",
    path: "/api/v1/publishers/{wallet}",
    tag: "market",
    summary: "A publisher's audits and what its work earned",
    description: "Public and computed from audits and settled calls alone, without ratings.",
    pathFields: pathSchema.shape,
    examples: { wallet: EXAMPLE_WALLET },
    answers: {
      200: { description: "All zero for a wallet that never published.", schema: publisherSchema },
    },
    problems: ["invalid_input", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler:
    ({ database }: BaseContext) =>
    async (c) => {
      const { wallet } = parseFields(pathSchema, { wallet: c.req.param("wallet") });
      return c.json(await getPublisherRecord(database, wallet));
    },
});
