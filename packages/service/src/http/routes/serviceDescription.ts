import {
  agentActionDomain,
  audienceOf,
  type KeyEndorsement,
  NETWORK,
  type ServiceDescription,
  serviceDescriptionSchema,
} from "@assay/protocol";
import type { LogContext } from "../../log/signedHeads.js";
import { MAX_VALIDITY_SECONDS } from "../../payments/checkAuthorization.js";
import { MAX_PAYMENT_HEADER_CHARACTERS } from "../../payments/paymentHeader.js";
import type { PaymentsContext } from "../../payments/paymentsContext.js";
import type { LogBreak } from "../../payments/recovery/restorations.js";
import { QUOTE_LIFE_MS, TICKET_LIFE_MS } from "../../quotes/tariff.js";
import { createDocumentHandler, documentHeaders, notModified } from "../createDocumentHandler.js";
import { MAX_BODY_BYTES, MAX_HEADER_BYTES } from "../readInput.js";
import { defineRoute } from "../route.js";

export interface DescriptionContext extends PaymentsContext, LogContext {
  readonly endorsements: readonly KeyEndorsement[];
  readonly logBreaks: readonly LogBreak[];
}

/** Short: a verifier must learn of a new key soon. */
const MAX_AGE_SECONDS = 60;

/** What a verifier must know of this service before it asks anything else. */
export const serviceDescription = defineRoute({
  operation: {
    id: "getServiceDescription",
    method: "get",
    path: "/.well-known/assay.json",
    tag: "service",
    summary: "The keys to check answers and the log with, the signing domain, limits and links",
    description:
      "Pin `signingAddress` and `log.publicKey`: every offline check starts from them. `endorsements` lead from a former key to them.",
    answers: {
      200: { description: "The description.", schema: serviceDescriptionSchema, headers: documentHeaders },
      304: notModified,
    },
    problems: [],
  },
  createHandler: (context: DescriptionContext) =>
    createDocumentHandler(
      "application/json",
      () => JSON.stringify(describeService(context)),
      MAX_AGE_SECONDS,
    ),
});

function describeService({
  settings,
  signer,
  logSigner,
  endorsements,
  logBreaks,
}: DescriptionContext): ServiceDescription {
  return {
    product: "Assay",
    network: NETWORK,
    signingAddress: signer.address,
    log: {
      origin: logSigner.origin,
      publicKey: logSigner.publicKey,
      checkpoint: `${settings.publicUrl}/api/v1/log/checkpoint`,
      ...(logBreaks.length > 0 && { breaks: [...logBreaks] }),
    },
    endorsements: [...endorsements],
    audience: audienceOf(settings.publicUrl),
    actionDomain: agentActionDomain(audienceOf(settings.publicUrl)),
    limits: {
      bodyBytes: MAX_BODY_BYTES,
      headerBytes: MAX_HEADER_BYTES,
      paymentHeaderCharacters: MAX_PAYMENT_HEADER_CHARACTERS,
      paymentValiditySeconds: MAX_VALIDITY_SECONDS,
      challengeLifeSeconds: TICKET_LIFE_MS / 1000,
      quoteLifeSeconds: QUOTE_LIFE_MS / 1000,
    },
    links: {
      catalog: `${settings.publicUrl}/api/v1/capabilities`,
      openapi: `${settings.publicUrl}/openapi.json`,
      mcp: `${settings.publicUrl}/api/mcp`,
      mcpForX402Clients: `${settings.publicUrl}/api/mcp?x402=mcp`,
      llms: `${settings.publicUrl}/llms.txt`,
      x402: `${settings.publicUrl}/.well-known/x402`,
    },
  };
}
