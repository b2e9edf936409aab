import { findCapabilityByAnyName } from "@assay/capabilities";
import { AssayError, inputHashOf, type Quote } from "@assay/protocol";
import type { Context } from "hono";
import { findAskedName } from "../../market/askedCapabilities.js";
import type { DemandContext } from "../../market/demandCounter.js";
import { createQuote, type QuotesContext } from "../../quotes/quotes.js";
import { clientAddress } from "../clientAddress.js";
import {
  invalidInput,
  MAX_QUERY_DATA_CHARACTERS,
  parseFields,
  parseInput,
  pickInputFields,
  readQuery,
  verifyDataInQuery,
  walletQuerySchema,
} from "../readInput.js";
import { verifySupported } from "../verifySupported.js";

export interface QuoteContext extends QuotesContext, DemandContext {}

/**
 * GET /api/v1/quotes: a price for one wallet and one input. Also at a capability's own quote route, where the path
 * names it.
 */
export async function quote(context: QuoteContext, c: Context, ownCapability?: string): Promise<Quote> {
  const query = ownCapability ? { ...readQuery(c), capability: ownCapability } : readQuery(c);
  if (!query.capability) throw invalidInput([{ field: "capability", rule: "is required" }]);
  const capability = findCapabilityByAnyName(query.capability);
  if (!capability) {
    const asked = findAskedName(query.capability);
    if (asked !== undefined) context.demand.countAsk(asked, clientAddress(c));
    throw new AssayError(
      "unknown_capability",
      `No capability is called ${JSON.stringify(query.capability.slice(0, 64))}; see /api/v1/capabilities.`,
      {
        fields: [{ field: "capability", rule: "must be a capability of the catalog" }],
      },
    );
  }
  const { wallet } = parseFields(walletQuerySchema, query);
  const fields = pickInputFields({ ...capability, method: "GET" }, query, ["capability", "wallet"]);
  verifyDataInQuery(capability.id, fields, MAX_QUERY_DATA_CHARACTERS);
  const input = parseInput(capability, fields ?? {});
  verifySupported(capability, input, context.settings);
  const address = clientAddress(c);
  await context.limits.consume("quote", address);
  const created = await createQuote(context, capability, input, wallet);
  if (created.cacheStatus === "miss" && capability.reuse === "shared") {
    const inputHash = inputHashOf(capability.id, capability.version, input);
    context.demand.countMiss({ capabilityId: capability.id, input, inputHash }, address);
  }
  return created;
}
