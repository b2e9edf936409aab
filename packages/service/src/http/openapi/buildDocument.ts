import { INTERFACE_VERSION, type JsonSchema, jsonSchemasOf, usdFromMicro } from "@assay/protocol";
import type { PriceBook } from "../../quotes/priceBook.js";
import { createComponents } from "./createComponents.js";
import { createParameterLister, type ParameterLister } from "./createParameterLister.js";
import { createResponseLister } from "./createResponseLister.js";
import { extendSchemas } from "./extendSchemas.js";
import { namedSchemas, refer, uriOf } from "./namedSchemas.js";
import { type Operation, type Price, tags } from "./operation.js";
import { placeUsedOnce } from "./placeUsedOnce.js";
import type { RecordedExamples } from "./recordedExamples.js";

/** What the document says of the service as a whole. */
export interface DocumentInfo {
  readonly publicUrl: string;
  /** Under 4,000 characters: agents read it together with other services' guidance. */
  readonly guidance: string;
}

const SUMMARY = "Verdicts about Base that a stranger can recompute, paid per call with x402.";
const DESCRIPTION =
  "Each paid call returns a decision contract: a verdict, the evidence behind it, explicit limitations, a validity window in blocks, and a receipt. There are no accounts: a wallet is the identity. Errors are RFC 9457 problems with a stable `code`; 402 bodies are x402's. Every route may be called from browsers of any origin (CORS), with the payment headers exposed. Unknown paths are 404, other methods 405 with `Allow`. Prices are the operator's of this moment; the live 402 counts. Examples were recorded on the local chain that `npm start` brings and are shortened: a list shows its first entry, an object without a schema its first fields, and … stands for what was cut.";

/** OpenAPI 3.1, from the operations and the schemas that validate them. */
export function buildDocument(
  operations: readonly Operation[],
  prices: PriceBook,
  recorded: RecordedExamples,
  { publicUrl, guidance }: DocumentInfo,
) {
  const schemas = jsonSchemasOf(namedSchemas, uriOf);
  const components = createComponents();
  const listParameters = createParameterLister(operations, components);
  const listResponses = createResponseLister(operations, { recorded, schemas, components });
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    item[operation.method] = {
      ...describeRequest(operation, prices, listParameters),
      responses: listResponses(operation),
    };
    paths[operation.path] = item;
  }
  return placeUsedOnce({
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: INTERFACE_VERSION,
      summary: SUMMARY,
      description: DESCRIPTION,
      contact: { name: "The operator of this service", url: publicUrl },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      "x-guidance": guidance,
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: extendSchemas(schemas, uriOf), ...components.all },
    "x-agentcash-guidance": { llmsTxtUrl: `${publicUrl}/llms.txt` },
  } as const);
}

/** Everything about an operation but its responses. */
function describeRequest(
  operation: Operation,
  prices: PriceBook,
  listParameters: ParameterLister,
): JsonSchema {
  const { id, tag, summary, description, deprecated, body, price, signs } = operation;
  const parameters = listParameters(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(deprecated && { deprecated }),
    // Nothing here needs an account or a key: a wallet pays, or signs the one action it asks for.
    security: [],
    ...(price && {
      "x-payment-info": { price: describePrice(price(prices)), protocols: [{ x402: {} }] },
    }),
    ...(signs && { "x-agent-action": signs }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: refer(body.schema), example: body.example } },
      },
    }),
  };
}

function describePrice({ leastMicroUsd, mostMicroUsd }: Price) {
  const [min, max] = [leastMicroUsd, mostMicroUsd].map((micro) => String(usdFromMicro(micro)));
  return min === max
    ? { mode: "fixed", currency: "USD", amount: max }
    : { mode: "dynamic", currency: "USD", min, max };
}
