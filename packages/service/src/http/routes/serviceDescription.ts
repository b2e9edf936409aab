import { agentActionDomain, audienceOf, NETWORK, type ServiceDescription } from "@assay/protocol";
import type { LogContext } from "../../log/signedHeads.js";
import { TICKET_LIFE_MS } from "../../payments/challenge.js";
import { MAX_VALIDITY_SECONDS } from "../../payments/paidCall.js";
import { MAX_PAYMENT_HEADER_CHARACTERS } from "../../payments/paymentHeader.js";
import type { PaymentsContext } from "../../payments/serveReserved.js";
import { QUOTE_LIFE_MS } from "../../quotes/quotes.js";
import { MAX_BODY_BYTES, MAX_HEADER_BYTES } from "../readInput.js";

/** GET /.well-known/assay.json: what a verifier must know of this service before it asks anything else. */
export function describeService({
  settings,
  signer,
  logSigner,
}: PaymentsContext & LogContext): ServiceDescription {
  return {
    product: "Assay",
    network: NETWORK,
    signingAddress: signer.address,
    log: {
      origin: logSigner.origin,
      publicKey: logSigner.publicKey,
      checkpoint: `${settings.publicUrl}/api/v1/log/checkpoint`,
    },
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
