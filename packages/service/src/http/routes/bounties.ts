import { capabilities } from "@assay/capabilities";
import {
  actionHeaderSchemas,
  actionHeaders,
  bountiesSchema,
  EXAMPLE_WALLET,
  type Hex,
  lowercaseAddressSchema,
} from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { verifyAction } from "../../actions/signedAction.js";
import { listBounties } from "../../market/listBounties.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { clientAddress } from "../clientAddress.js";
import { limitSchema, parseFields, readQuery } from "../readInput.js";
import { defineRoute } from "../route.js";

const { wallet: WALLET, signature: SIGNATURE, timestamp: TIMESTAMP, nonce: NONCE } = actionHeaders;
const requestSchema = z.object({
  limit: limitSchema(100, 20),
  [WALLET]: lowercaseAddressSchema.optional(),
});
const fields = requestSchema.shape;
const proofHeaders = {
  [SIGNATURE]: actionHeaderSchemas.signature.optional(),
  [TIMESTAMP]: actionHeaderSchemas.timestamp.optional(),
  [NONCE]: actionHeaderSchemas.nonce.optional(),
};

/**
 * False when the caller only names a wallet. Reading has no effect, so the nonce is not spent: a reader who repeats the request
 * within its time sees what its sender saw.
 */
async function isSignedBy(context: QuotesContext, c: Context, wallet: Hex): Promise<boolean> {
  const [signature, timestamp, nonce] = [SIGNATURE, TIMESTAMP, NONCE].map((name) => c.req.header(name));
  if (signature === undefined && timestamp === undefined && nonce === undefined) return false;
  const expected = {
    action: "bounty_list",
    resource: wallet,
    wallet,
    clientAddress: clientAddress(c),
  } as const;
  await verifyAction(context, { wallet, signature, timestamp, nonce }, expected);
  return true;
}

export const bounties = defineRoute({
  operation: {
    id: "listBounties",
    method: "get",
    path: "/api/v1/bounties",
    tag: "market",
    summary: "Questions that were asked and nobody has answered, with what answering earns",
    description: "Unmet demand for shared answers. `fulfillmentEndpoint` of each entry takes the work.",
    query: { limit: fields.limit },
    headers: {
      [WALLET]: fields[WALLET].describe(
        "whose head start to apply; counts with a signature of the action bounty_list, resource = this address in lower case",
      ),
      ...proofHeaders,
    },
    examples: { [WALLET]: EXAMPLE_WALLET },
    noStore: true,
    answers: {
      200: {
        description: "The most wanted first. `passport` for a caller that names its wallet.",
        schema: bountiesSchema,
      },
    },
    problems: [
      "invalid_input",
      "action_unsigned",
      "action_signature_invalid",
      "action_out_of_time",
      "rate_limited",
      "chain_unavailable",
      "database_unavailable",
    ],
  },
  budget: "read",
  createHandler: (context: QuotesContext) => {
    const { database, prices, settings } = context;
    const shared = capabilities.filter(({ reuse }) => reuse === "shared");
    const sharedPrices = new Map(shared.map(({ id }) => [id, getPrices(prices, id)]));
    return async (c) => {
      const { limit, [WALLET]: wallet } = parseFields(requestSchema, {
        limit: readQuery(c).limit,
        [WALLET]: c.req.header(WALLET),
      });
      const isProven = wallet !== undefined && (await isSignedBy(context, c, wallet));
      const { bountyDelaySeconds: delaySeconds } = settings;
      return c.json(
        await listBounties(database, { prices: sharedPrices, wallet, isProven, delaySeconds, limit }),
      );
    };
  },
});
