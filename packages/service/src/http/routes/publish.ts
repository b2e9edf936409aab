import { type Published, publicationRequestSchema } from "@assay/protocol";
import type { Context } from "hono";
import { publishFingerprint } from "../../market/publishFingerprint.js";
import { getPrices } from "../../quotes/priceBook.js";
import type { QuotesContext } from "../../quotes/quotes.js";
import { readSignedRequest } from "../signedRequest.js";

/** POST /api/v1/artifacts/publish: work that a wallet computed itself, taken after recomputing it. */
export async function publish(context: QuotesContext, c: Context): Promise<Published> {
  const { body, signed } = await readSignedRequest(context, c, {
    schema: publicationRequestSchema,
    action: "artifact_publish",
    resourceOf: ({ address }) => address,
    budget: "publish",
  });
  return publishFingerprint(context, body, signed, getPrices(context.prices, body.capabilityId));
}
