import {
  asksForWallet,
  type CapabilityId,
  capabilityInputs,
  claimRequestSchema,
  exampleInputs,
  getCapabilitySpec,
  type JsonSchema,
  jsonSchemaOf,
  MAX_TIMEOUT_SECONDS,
  type PaymentRequirements,
} from "@assay/protocol";
import { declareDiscoveryExtension } from "@x402/extensions/bazaar";
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier";
import { CLAIM_OPENING } from "../claims/openClaim.js";
import { type DigestSigner, OFFER_RECEIPT, signOffer, soldRoute } from "./offerReceipt.js";

/** One signed offer is given out for this long; it outlives that by far. */
const OFFER_REUSE_MS = 30_000;
const MAX_OFFERS = 500;

export interface ExtensionsContext {
  readonly signer: DigestSigner;
  readonly settings: { readonly publicUrl: string };
}

/**
 * What a challenge says beyond the price: how to call (bazaar), that a payer may name its purchase (payment-identifier),
 * and the price once more, signed (offer-receipt). Clients send all of it back in a header, so it is kept small.
 */
export interface Extensions {
  describe(soldId: string, requirements: PaymentRequirements): Record<string, unknown>;
}

export function createExtensions({ signer, settings }: ExtensionsContext): Extensions {
  const described = new Map<string, unknown>();
  const offers = new Map<string, { readonly offer: unknown; readonly madeAtMs: number }>();
  const paymentIdentifier = declarePaymentIdentifierExtension(false);

  function describeCall(soldId: string): unknown {
    const known = described.get(soldId) ?? bazaarOf(soldId);
    described.set(soldId, known);
    return known;
  }

  function findOffer(soldId: string, requirements: PaymentRequirements): unknown {
    const key = `${soldId} ${requirements.amount}`;
    const nowMs = Date.now();
    const known = offers.get(key);
    if (known && nowMs - known.madeAtMs < OFFER_REUSE_MS) return known.offer;
    const validUntil = Math.floor(nowMs / 1000) + MAX_TIMEOUT_SECONDS;
    const offer = signOffer(signer, soldRoute(settings.publicUrl, soldId), requirements, validUntil);
    offers.delete(key);
    offers.set(key, { offer, madeAtMs: nowMs });
    if (offers.size > MAX_OFFERS) offers.delete(offers.keys().next().value as string);
    return offer;
  }

  return {
    describe: (soldId, requirements) => ({
      bazaar: describeCall(soldId),
      [PAYMENT_IDENTIFIER]: paymentIdentifier,
      [OFFER_RECEIPT]: { info: { offers: [findOffer(soldId, requirements)] }, schema: OFFERS_SCHEMA },
    }),
  };
}

const OFFERS_SCHEMA = {
  type: "object",
  properties: { offers: { type: "array", items: { type: "object", required: ["format", "signature"] } } },
  required: ["offers"],
};

function bazaarOf(soldId: string): unknown {
  const { method, example, schema } = describeInput(soldId);
  const input = { input: example, inputSchema: withoutWords(schema) as Record<string, unknown> };
  const output = { example: { verdict: "review", result: { reasonCodes: [], limitations: [] } } };
  const declared = declareDiscoveryExtension(
    method === "POST" ? { ...input, output, bodyType: "json" } : { ...input, output },
  ).bazaar as unknown as {
    readonly info: { readonly input: object };
    readonly schema: { readonly properties: { readonly input: { readonly properties: object } } };
  };
  // The official middleware fills in the method of the route it stands before; there is none here.
  const { info, schema: shape } = declared;
  const inputShape = shape.properties.input;
  return {
    info: { ...info, input: { ...info.input, method } },
    schema: {
      ...shape,
      properties: {
        ...shape.properties,
        input: {
          ...inputShape,
          properties: { ...inputShape.properties, method: { type: "string", enum: [method] } },
        },
      },
    },
  };
}

function describeInput(soldId: string): {
  method: "GET" | "POST";
  example: Record<string, unknown>;
  schema: JsonSchema;
} {
  if (soldId === CLAIM_OPENING.id) {
    return { method: "POST", example: exampleClaim, schema: jsonSchemaOf(claimRequestSchema) };
  }
  const { id, method } = getCapabilitySpec(soldId as CapabilityId);
  const schema = jsonSchemaOf(capabilityInputs[id]);
  const example: Record<string, unknown> = { ...exampleInputs[id] };
  if (!asksForWallet(id)) return { method, example, schema };
  const properties = { ...(schema.properties as object), wallet: { type: "string" } };
  const required = [...((schema.required as string[] | undefined) ?? []), "wallet"];
  return {
    method,
    example: { ...example, wallet: EXAMPLE_WALLET },
    schema: { ...schema, properties, required },
  };
}

const EXAMPLE_WALLET = "0x1111111111111111111111111111111111111111";
const exampleClaim = {
  wallet: EXAMPLE_WALLET,
  address: exampleInputs["contract.guard"].address,
  implementation: null,
  fromBlock: 1,
  toBlock: 2,
  rewardUsd: 1,
  deadline: "2027-01-01T00:00:00.000Z",
};

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
