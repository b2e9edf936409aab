import { findCapability } from "@assay/capabilities";
import {
  claimRequestSchema,
  EXAMPLE_WALLET,
  exampleClaim,
  type JsonSchema,
  jsonSchemaOf,
} from "@assay/protocol";
import { declareDiscoveryExtension } from "@x402/extensions/bazaar";

type Extension = Record<string, unknown>;

const made = new Map<string, Extension>();

/**
 * The `bazaar` extension of x402: what the route takes and gives, for registries that read challenges. Clients send it
 * back with the payment, so of the answer it describes the verdict only.
 */
export function discoveryExtensionOf(soldId: string, path: string): Extension {
  const formerName = findCapability(soldId)?.deprecatedName;
  const inQuery = formerName?.method === "GET" && path.startsWith(`/api/v1/capabilities/${formerName.name}/`);
  const key = inQuery ? formerName.name : soldId;
  const known = made.get(key) ?? describe(soldId, inQuery);
  made.set(key, known);
  return known;
}

const output = {
  example: { verdict: "review" },
  schema: {
    type: "object",
    properties: { verdict: { enum: ["allow", "review", "block"] } },
    required: ["verdict"],
  },
};

const openedClaim = {
  example: { status: "open" },
  schema: { type: "object", properties: { status: { type: "string" } }, required: ["status"] },
};

function describe(soldId: string, inQuery: boolean): Extension {
  const capability = findCapability(soldId);
  if (!capability) {
    return declare("POST", exampleClaim, jsonSchemaOf(claimRequestSchema), openedClaim);
  }
  const input = jsonSchemaOf(capability.input);
  const method = inQuery ? "GET" : capability.method;
  if (!capability.asksForWallet) return declare(method, capability.example, input, output);
  const properties = { ...(input.properties as object), wallet: { type: "string" } };
  const required = [...(input.required as string[]), "wallet"];
  const example = { ...capability.example, wallet: EXAMPLE_WALLET };
  return declare(method, example, { ...input, properties, required }, output);
}

function declare(method: "GET" | "POST", input: object, inputSchema: JsonSchema, answer: object) {
  return declareDiscoveryExtension({
    method,
    input,
    inputSchema: withoutWords(inputSchema),
    output: answer,
    ...(method === "POST" && { bodyType: "json" }),
  } as never);
}

/** A schema without its descriptions: those are in /openapi.json, and here every payer sends them back. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== "description" || typeof value !== "string")
      .map(([name, value]) => [name, withoutWords(value)]),
  );
}
