import { capabilities } from "@assay/capabilities";
import { actionHeaders, bountiesSchema, EXAMPLE_WALLET, lowercaseAddressSchema } from "@assay/protocol";
import { z } from "zod";
import { listBounties } from "../../market/listBounties.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const WALLET = actionHeaders.wallet;
const requestSchema = z.object({
  limit: limitSchema(100, 20),
  [WALLET]: lowercaseAddressSchema.optional(),
});
const fields = requestSchema.shape;

export const bounties = defineRoute({
  operation: {
    id: "listBounties",
    method: "get",
    path: "/api/v1/bounties",
    tag: "market",
    summary: "Questions that were asked and nobody has answered, with what answering earns",
    description: "Unmet demand for shared answers. `fulfillmentEndpoint` of each entry takes the work.",
    query: { limit: fields.limit },
    headers: { [WALLET]: fields[WALLET].describe("whose head start to apply; need not be signed") },
    examples: { [WALLET]: EXAMPLE_WALLET },
    noStore: true,
    answers: {
      200: {
        description: "The most wanted first. `passport` for a caller that names its wallet.",
        schema: bountiesSchema,
      },
    },
    problems: ["invalid_input", "rate_limited", "database_unavailable"],
  },
  budget: "read",
  createHandler: ({ database, prices }: QuotesContext) => {
    const shared = capabilities.filter(({ reuse }) => reuse === "shared");
    const sharedPrices = new Map(shared.map(({ id }) => [id, getPrices(prices, id)]));
    return async (c) => {
      const { limit, [WALLET]: wallet } = parseFields(requestSchema, {
        limit: readQuery(c).limit,
        [WALLET]: c.req.header(WALLET),
      });
      return c.json(await listBounties(database, { prices: sharedPrices, wallet, limit }));
    };
  },
});
