import { type CapabilityId, capabilities, dataInQuerySchema, getCapability } from "@assay/capabilities";
import { catalogSchema, EXAMPLE_WALLET, healthSchema, quoteSchema, statsSchema } from "@assay/protocol";
import { z } from "zod";
import { MAX_QUERY_DATA_CHARACTERS, walletQuerySchema } from "../../readInput.js";
import type { Fields, Operation } from "../operation.js";

const deprecated = capabilities.flatMap(({ id, deprecatedName }) =>
  deprecatedName ? [{ id, name: deprecatedName.name }] : [],
);

const quoteProblems = [
  "invalid_input",
  "web_target_forbidden",
  "rate_limited",
  "chain_head_stale",
  "database_unavailable",
] as const;

export function listDiscoveryOperations(): Operation[] {
  return [
    {
      id: "listCapabilities",
      method: "get",
      path: "/api/v1/capabilities",
      tag: "discovery",
      summary: "The catalog: every capability with its prices, input and routes",
      answers: { 200: { description: "The catalog.", schema: catalogSchema } },
      problems: [],
    },
    {
      id: "getCapabilityStats",
      method: "get",
      path: "/api/v1/capabilities/stats",
      tag: "discovery",
      summary: "Thirty days of traffic in figures, without anyone's name",
      answers: {
        200: {
          description: "Computed at most every 30 seconds.",
          schema: statsSchema,
          headers: ["Cache-Control", "Age"],
        },
      },
      problems: ["rate_limited", "database_unavailable"],
    },
    {
      id: "getQuote",
      method: "get",
      path: "/api/v1/quotes",
      tag: "discovery",
      summary: "A price for one wallet and one input",
      description:
        "A quote lives for a minute, is bound to the wallet and the input, and works once; credits of the wallet lower it. Pass `quoteId` as `quote` to the invoke route, or call `invokeUrl`.",
      query: {
        capability: z
          .enum([...capabilities.map(({ id }) => id), ...deprecated.map(({ name }) => name)])
          .describe(
            `capability to be called; ${deprecated.map(({ name, id }) => `${name} is the old name of ${id}`).join(", ")}`,
          ),
        ...walletQuerySchema.shape,
        ...listInputFields(),
      },
      examples: {
        capability: "contract.guard",
        wallet: EXAMPLE_WALLET,
        ...getCapability("contract.guard").example,
      },
      answers: { 200: { description: "The quote.", schema: quoteSchema, headers: ["Cache-Control"] } },
      problems: ["unknown_capability", "private_artifact", "not_found", ...quoteProblems],
    },
    {
      id: "getWebCompileQuote",
      method: "get",
      path: "/api/v1/capabilities/web.compile/quote",
      tag: "discovery",
      summary: "A price for one wallet and one page",
      query: { ...getCapability("web.compile").input.shape, ...walletQuerySchema.shape },
      examples: { ...getCapability("web.compile").example, wallet: EXAMPLE_WALLET },
      answers: { 200: { description: "The quote.", schema: quoteSchema, headers: ["Cache-Control"] } },
      problems: quoteProblems,
    },
    {
      id: "getHealth",
      method: "get",
      path: "/api/v1/health",
      tag: "discovery",
      summary: "Whether every dependency answers now",
      answers: {
        200: { description: "All of them do.", schema: healthSchema, headers: ["Cache-Control"] },
        503: {
          description: "A dependency named in the body does not.",
          schema: healthSchema,
          headers: ["Cache-Control", "Retry-After"],
        },
      },
      problems: [],
    },
  ];
}

/** The inputs of all capabilities side by side: each field is needed by those that have it. */
function listInputFields(): Fields {
  const users = new Map<string, { field: z.ZodType; needing: CapabilityId[] }>();
  for (const { id } of capabilities) {
    for (const [name, field] of Object.entries(getCapability(id).input.shape) as [string, z.ZodType][]) {
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
