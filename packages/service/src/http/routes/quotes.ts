import {
  type CapabilityId,
  capabilities,
  dataInQuerySchema,
  findCapabilityByAnyName,
} from "@assay/capabilities";
import {
  AssayError,
  type ErrorCode,
  EXAMPLE_WALLET,
  inputHashOf,
  type Quote,
  quoteSchema,
} from "@assay/protocol";
import type { Context } from "hono";
import { z } from "zod";
import { findAskedName } from "../../market/askedCapabilities.js";
import type { DemandCounter } from "../../market/demandCounter.js";
import { createQuote } from "../../quotes/quotes.js";
import type { QuotesContext } from "../../quotes/quotesContext.js";
import { type BlockedWallets, walletBlocked } from "../../store/blockedWallets.js";
import { clientAddress } from "../clientAddress.js";
import type { Fields } from "../openapi/operation.js";
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
import { defineRoute } from "../route.js";
import { verifySupported } from "../verifySupported.js";

export interface QuoteContext extends QuotesContext {
  readonly demand: DemandCounter;
  readonly blockedWallets: BlockedWallets;
}

/** The problems of every quote route. */
export const quoteProblems = [
  "invalid_input",
  "wallet_blocked",
  "web_target_forbidden",
  "rate_limited",
  "chain_head_stale",
  "database_unavailable",
] as const satisfies readonly ErrorCode[];

/** The answer of every quote route. */
export const quoteAnswers = { 200: { description: "The quote.", schema: quoteSchema } };

const formerNames = capabilities.flatMap(({ id, deprecatedName }) =>
  deprecatedName ? [{ id, name: deprecatedName.name }] : [],
);
const [shown] = capabilities;

export const quotes = defineRoute({
  operation: {
    id: "getQuote",
    method: "get",
    path: "/api/v1/quotes",
    tag: "discovery",
    summary: "A price for one wallet and one input",
    description:
      "A quote lives for a minute, is bound to the wallet and the input, and works once; credits of the wallet lower it. Pass `quoteId` as `quote` to the invoke route, or call `invokeUrl`.",
    query: {
      capability: z
        .enum([...capabilities.map(({ id }) => id), ...formerNames.map(({ name }) => name)])
        .describe(
          `capability to be called; ${formerNames.map(({ name, id }) => `${name} is the old name of ${id}`).join(", ")}`,
        ),
      ...walletQuerySchema.shape,
      ...listInputFields(),
    },
    examples: { ...shown?.example, capability: shown?.id, wallet: EXAMPLE_WALLET },
    noStore: true,
    answers: quoteAnswers,
    problems: ["unknown_capability", "private_artifact", "not_found", ...quoteProblems],
  },
  createHandler: (context: QuoteContext) => async (c) => {
    const query = readQuery(c);
    if (!query.capability) throw invalidInput([{ field: "capability", rule: "is required" }]);
    return c.json(await quoteCapability(context, c, query.capability, query));
  },
});

/** The price of one capability for the wallet and the input in a query. */
export async function quoteCapability(
  context: QuoteContext,
  c: Context,
  name: string,
  query: Readonly<Record<string, string>>,
): Promise<Quote> {
  const address = clientAddress(c);
  const capability = findCapabilityByAnyName(name);
  if (!capability) {
    const asked = findAskedName(name);
    if (asked !== undefined) context.demand.countAsk(asked, address);
    throw new AssayError(
      "unknown_capability",
      `No capability is called ${JSON.stringify(name.slice(0, 64))}; see /api/v1/capabilities.`,
      {
        fields: [{ field: "capability", rule: "must be a capability of the catalog" }],
      },
    );
  }
  const { wallet } = parseFields(walletQuerySchema, query);
  if (context.blockedWallets.has(wallet)) throw walletBlocked();
  const fields = pickInputFields({ ...capability, method: "GET" }, query, ["capability", "wallet"]);
  verifyDataInQuery(capability.id, fields, MAX_QUERY_DATA_CHARACTERS);
  const input = parseInput(capability, fields ?? {});
  await verifySupported(capability, input, context.settings);
  await context.limits.consume("quote", address);
  const created = await createQuote(context, capability, input, wallet);
  if (created.cacheStatus === "miss" && capability.reuse === "shared") {
    const inputHash = inputHashOf(capability.id, capability.version, input);
    context.demand.countMiss({ capabilityId: capability.id, input, inputHash }, address);
  }
  return created;
}

/** The inputs of all capabilities side by side; the description of each field names the capabilities that need it. */
function listInputFields(): Fields {
  const users = new Map<string, { field: z.ZodType; needing: CapabilityId[] }>();
  for (const { id, input } of capabilities) {
    for (const [name, field] of Object.entries(input.shape) as [string, z.ZodType][]) {
      const known = users.get(name) ?? { field, needing: [] };
      if (!field.safeParse(undefined).success) known.needing.push(id);
      users.set(name, known);
    }
  }
  return Object.fromEntries(
    [...users].map(([name, { field, needing }]) => {
      const about = field.description ?? name;
      const text = needing.length === 0 ? about : `${about}; required for ${needing.join(", ")}`;
      const carried = name === "data" ? dataInQuerySchema(MAX_QUERY_DATA_CHARACTERS) : field;
      return [name, carried.optional().describe(text)];
    }),
  );
}
