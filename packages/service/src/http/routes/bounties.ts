import { capabilities } from "@assay/capabilities";
import { actionHeaders, type Bounties, lowercaseAddressSchema } from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { listBounties } from "../../market/listBounties.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { QuotesContext } from "../../quotes/quotes.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";

export const bountiesRequestSchema = z.object({
  limit: limitSchema(100, 20),
  [actionHeaders.wallet]: lowercaseAddressSchema.optional(),
});

/** GET /api/v1/bounties: demand that nobody has met. */
export function bounties({ database, prices }: QuotesContext, c: Context): Promise<Bounties> {
  const { limit, [actionHeaders.wallet]: wallet } = parseFields(bountiesRequestSchema, {
    limit: readQuery(c).limit,
    [actionHeaders.wallet]: c.req.header(actionHeaders.wallet),
  });
  const shared = capabilities.filter(({ reuse }) => reuse === "shared");
  return listBounties(database, {
    prices: new Map(shared.map(({ id }) => [id, getPrices(prices, id)])),
    wallet,
    limit,
  });
}
