import { capabilities, type ListedCapability, proposedCapabilities } from "@assay/capabilities";
import {
  type CapabilityEntry,
  type Catalog,
  catalogSchema,
  MINIMUM_PRICE_MICRO_USD,
  NETWORK,
  usdFromMicro,
} from "@assay/protocol";
import { z } from "zod";
import type { PaymentsContext } from "../../payments/paymentsContext.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { Readiness } from "../readiness.js";
import { defineRoute } from "../route.js";

export const catalog = defineRoute({
  operation: {
    id: "listCapabilities",
    method: "get",
    path: "/api/v1/capabilities",
    tag: "discovery",
    summary: "The catalog: every capability with its prices, input and routes",
    description: "Free. Also lists proposals that are not built, and whether every dependency answers now.",
    answers: { 200: { description: "The catalog.", schema: catalogSchema } },
    problems: [],
  },
  createHandler:
    (context: PaymentsContext, { checkReadiness }) =>
    async (c) =>
      c.json(buildCatalog(context, await checkReadiness())),
});

function buildCatalog(context: PaymentsContext, readiness: Readiness): Catalog {
  return {
    product: "Assay",
    mode: "consume_only",
    value:
      "Verdicts about Base that a stranger can recompute: evidence pinned to one block, limits stated, a receipt for every payment.",
    transport: "HTTP and JSON; x402 version 2 pays per call",
    network: NETWORK,
    quoteEndpoint: "/api/v1/quotes",
    signingAddress: context.signer.address,
    payable: {
      x402: false,
      note: "The catalog is free. Capability invoke routes answer 402 with their price.",
    },
    production: {
      open: true,
      publish: "/api/v1/artifacts/publish",
      reward: "non_transferable_credits",
      note: "Credits lower later quotes. They cannot be sold, moved or withdrawn.",
    },
    capabilities: capabilities.map((capability): CapabilityEntry => {
      const prices = getPrices(context.prices, capability.id);
      const invoke = `/api/v1/capabilities/${capability.id}/invoke`;
      return {
        id: capability.id,
        version: capability.version,
        status: capability.status,
        summary: capability.summary,
        reuse: capability.reuse,
        constraints: { ttlSeconds: capability.ttlSeconds, network: NETWORK },
        pricing: {
          currency: "USD",
          network: NETWORK,
          cacheHitUsd: usdFromMicro(prices.hitMicroUsd),
          fingerprintHitUsd: usdFromMicro(prices.partialMicroUsd),
          cacheMissUsd: usdFromMicro(prices.missMicroUsd),
          facilitatorMinimumUsd: usdFromMicro(MINIMUM_PRICE_MICRO_USD),
        },
        input: Object.fromEntries(
          Object.entries(capability.input.shape)
            // What may be left out altogether is named in the summary.
            .filter(([, field]) => !(field instanceof z.ZodOptional))
            .map(([name, field]) => [name, field.description ?? ""]),
        ),
        endpoints: { quote: quoteRouteOf(capability), invoke },
        x402Endpoints: { invoke },
      };
    }),
    proposed: {
      note: "Asked for and not built: no price, no endpoint, nothing to buy. A pledge tells us it would be used.",
      pledgeEndpoint: "/api/v1/demand-pledges",
      proposals: proposedCapabilities.map((proposal) => ({ ...proposal })),
    },
    readiness,
  };
}

const quoteRouteOf = ({ id, asksForWallet }: ListedCapability) =>
  asksForWallet ? `/api/v1/capabilities/${id}/quote` : `/api/v1/quotes?capability=${id}`;
