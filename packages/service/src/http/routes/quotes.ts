import {
  AssayError,
  type CapabilityId,
  findCapabilitySpec,
  inputHashOf,
  type Quote,
  TX_PREFLIGHT,
} from "@assay/protocol";
import type { Context } from "hono";
import { findCapability } from "../../capabilities/registry.js";
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
export async function quote(context: QuoteContext, c: Context, ownCapability?: CapabilityId): Promise<Quote> {
  const query = ownCapability ? { ...readQuery(c), capability: ownCapability } : readQuery(c);
  if (!query.capability) throw invalidInput([{ field: "capability", rule: "is required" }]);
  const spec = findCapabilitySpec(
    query.capability === TX_PREFLIGHT ? "transaction.intent.guard" : query.capability,
  );
  if (!spec) {
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
  const fields = pickInputFields({ ...spec, method: "GET" }, query, ["capability", "wallet"]);
  verifyDataInQuery(spec.id, fields, MAX_QUERY_DATA_CHARACTERS);
  const input = parseInput(spec, fields ?? {});
  verifySupported(spec, input, context.settings);
  const address = clientAddress(c);
  await context.limits.consume("quote", address);
  const created = await createQuote(context, spec, input, wallet);
  if (created.cacheStatus === "miss" && spec.reuse === "shared" && findCapability(spec.id)) {
    const inputHash = inputHashOf(spec.id, spec.version, input);
    context.demand.countMiss({ capabilityId: spec.id, input, inputHash }, address);
  }
  return created;
}
