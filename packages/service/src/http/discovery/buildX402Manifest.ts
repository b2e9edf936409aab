import { capabilities } from "@assay/capabilities";
import { CLAIM_PRICE_MICRO_USD, X402_VERSION, type X402Manifest } from "@assay/protocol";
import type { Settings } from "../../base/settings.js";
import { CLAIM_OPENING } from "../../claims/openClaim.js";
import { buildRequirements, listAccepted } from "../../quotes/paymentRequirements.js";
import { getPrices, type PriceBook } from "../../quotes/priceBook.js";
import { guidance } from "./guidance.js";

/**
 * The body of GET /.well-known/x402. No standard defines it: crawlers read a list of URLs, and proposals to the x402
 * foundation read the entries of a facilitator's discovery list, so it holds both.
 */
export function buildX402Manifest(prices: PriceBook, settings: Settings): X402Manifest {
  const { publicUrl } = settings;
  const sold = [
    ...capabilities.map(({ id, method, summary }) => ({
      path: `/api/v1/capabilities/${id}/invoke`,
      method,
      description: summary,
      priceMicroUsd: getPrices(prices, id).missMicroUsd,
    })),
    {
      path: "/api/v1/claims",
      method: "POST" as const,
      description: CLAIM_OPENING.summary,
      priceMicroUsd: CLAIM_PRICE_MICRO_USD,
    },
  ];
  return {
    version: 1,
    x402Version: X402_VERSION,
    resources: sold.map(({ path }) => `${publicUrl}${path}`),
    items: sold.map(({ path, method, description, priceMicroUsd }) => ({
      resource: `${publicUrl}${path}`,
      type: "http",
      method,
      x402Version: X402_VERSION,
      description,
      mimeType: "application/json",
      accepts: listAccepted(settings, buildRequirements(settings, priceMicroUsd)),
    })),
    instructions: guidance(publicUrl),
    openapi: `${publicUrl}/openapi.json`,
  };
}
