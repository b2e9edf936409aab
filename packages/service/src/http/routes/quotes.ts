import {
  AssayError,
  findCapabilitySpec,
  lowercaseAddressSchema,
  type Quote,
  TX_PREFLIGHT,
} from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { createQuote, type QuotesContext } from "../../quotes/quotes.js";
import { clientAddress } from "../clientAddress.js";
import { invalidInput, parseFields, parseInput, pickInputFields, readQuery } from "../readInput.js";

/** GET /api/v1/quotes: a price for one wallet and one input. */
export async function quote(context: QuotesContext, c: Context): Promise<Quote> {
  const query = readQuery(c);
  if (!query.capability) throw invalidInput([{ field: "capability", rule: "is required" }]);
  const spec = findCapabilitySpec(
    query.capability === TX_PREFLIGHT ? "transaction.intent.guard" : query.capability,
  );
  if (!spec) {
    throw new AssayError(
      "unknown_capability",
      `No capability is called ${JSON.stringify(query.capability.slice(0, 64))}; see /api/v1/capabilities.`,
      {
        fields: [{ field: "capability", rule: "must be a capability of the catalog" }],
      },
    );
  }
  const { wallet } = parseFields(z.object({ wallet: lowercaseAddressSchema }), query);
  const fields = pickInputFields({ ...spec, method: "GET" }, query, ["capability", "wallet"]);
  const input = parseInput(spec, fields ?? {});
  await context.limits.consume("quote", clientAddress(c));
  return createQuote(context, spec, input, wallet);
}
