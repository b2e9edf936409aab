import { AssayError, findCapabilitySpec, inputHashOf, TX_PREFLIGHT } from "@assay/protocol";
import type { Context } from "hono";
import { findCapability } from "../../capabilities/registry.js";
import type { Capability } from "../../capabilities/types.js";
import type { Metrics } from "../../metrics.js";
import type { PaidRequest } from "../../payments/challenge.js";
import { callWithPayment, challengeFor } from "../../payments/paidCall.js";
import { readPaymentHeader } from "../../payments/paymentHeader.js";
import type { PaymentsContext } from "../../payments/serveReserved.js";
import { findTargetTerms } from "../../quotes/callTerms.js";
import {
  type ChallengeMemory,
  challengeHeaders,
  type EncodedChallenge,
  encodeChallenge,
} from "../challengeMemory.js";
import { clientAddress } from "../clientAddress.js";
import { invalidInput, parseInput, pickInputFields, readJsonBody, readQuery } from "../readInput.js";

export interface InvokeContext extends PaymentsContext {
  readonly metrics: Metrics;
  readonly challenges: ChallengeMemory;
}

/** GET or POST /api/v1/capabilities/{id}/invoke: 402 with the price, or the answer once it is paid. */
export async function invoke(context: InvokeContext, c: Context): Promise<Response> {
  const { capability, method } = getCalled(context, c);
  const { spec } = capability;
  const query = readQuery(c);
  const header = c.req.header("payment-signature");
  const source = method === "GET" ? query : ((await readJsonBody(c)) ?? {});
  const beside = method === "POST" ? Object.keys(query).filter((name) => name !== "quote") : [];
  if (beside.length > 0)
    throw invalidInput(
      beside.map((field) => ({ field, rule: "belongs in the JSON body, not in the query" })),
    );
  const fields = pickInputFields({ ...spec, method }, source);
  const path = c.req.url.slice(new URL(c.req.url).origin.length);
  const origin = { spec, path, clientAddress: clientAddress(c) };
  if (fields === undefined && header === undefined) {
    const probe = { ...origin, input: undefined, inputHash: undefined };
    return rememberedChallenge(context, c, probe);
  }
  const input = parseInput(spec, fields ?? {});
  const unsupported = capability.checkInput?.(input as never, context.settings) ?? [];
  if (unsupported.length > 0) throw invalidInput(unsupported);
  const inputHash = inputHashOf(spec.id, spec.version, input);
  const request = { ...origin, input, inputHash, targetTerms: await findTargetTerms(context, spec, input) };
  if (header === undefined && query.quote === undefined) return rememberedChallenge(context, c, request);
  if (header === undefined) {
    return challengeResponse(c, encodeChallenge(await challengeFor(context, request, query.quote)));
  }

  const startedAt = performance.now();
  const note = (facts: { outcome: string; invocationId?: string; reason?: string | undefined }) => {
    context.metrics.invocations.inc({ capability: spec.id, outcome: facts.outcome });
    const durationMs = Math.round(performance.now() - startedAt);
    context.logger.info(
      { requestId: c.get("requestId"), capability: spec.id, ...facts, durationMs },
      "paid call",
    );
  };
  const outcome = await callWithPayment(context, capability, request, readPaymentHeader(header)).catch(
    (error) => {
      note({ outcome: error instanceof AssayError ? error.code : "error" });
      throw error;
    },
  );
  if (outcome.status === "answer") note({ outcome: "settled", invocationId: outcome.invocationId });
  else note({ outcome: "refused", reason: outcome.challenge.error });
  if (outcome.status === "challenge") return challengeResponse(c, encodeChallenge(outcome.challenge));
  return c.body(new Uint8Array(outcome.response.body), 200, {
    "content-type": "application/json",
    "cache-control": "private",
    "payment-response": outcome.response.paymentResponse,
  });
}

/** When the old name was given up, in the form of RFC 9745: 1 November 2026. */
const PREFLIGHT_DEPRECATED_AT = "@1793491200";

/** The capability that a request calls by its own name or by its old one, with the method that it takes there. */
function getCalled(
  { settings }: InvokeContext,
  c: Context,
): { capability: Capability; method: "GET" | "POST" } {
  const name = c.req.param("id") ?? "";
  const isOldName = name === TX_PREFLIGHT;
  const id = isOldName ? "transaction.intent.guard" : name;
  const capability = findCapability(id);
  if (!capability) {
    const listed = findCapabilitySpec(id) !== undefined;
    throw new AssayError(
      "not_found",
      listed ? `${id} is listed but cannot be called yet.` : "No capability has that name.",
    );
  }
  if (isOldName) {
    const successor = `${settings.publicUrl}/api/v1/capabilities/${id}/invoke`;
    c.header("deprecation", PREFLIGHT_DEPRECATED_AT);
    c.header("link", `<${successor}>; rel="successor-version"`);
  }
  const method = isOldName ? "GET" : capability.spec.method;
  if (c.req.method !== method) {
    c.header("allow", method);
    throw new AssayError("method_not_allowed", `${name} takes ${method}.`);
  }
  return { capability, method };
}

/** An unquoted challenge, kept for the next caller of the same URL unless its price depends on what memory cannot know. */
async function rememberedChallenge(
  context: InvokeContext,
  c: Context,
  request: PaidRequest,
): Promise<Response> {
  const challenge = encodeChallenge(await challengeFor(context, request, undefined));
  // What a deprecated name answers carries headers of its own.
  if (request.spec.method === "GET" && !request.targetTerms)
    context.challenges.remember(request.path, request, challenge);
  return challengeResponse(c, challenge);
}

/** The same JSON in the header, where x402 clients look, and in the body, where people do. */
function challengeResponse(c: Context, challenge: EncodedChallenge): Response {
  return c.body(challenge.body, 402, challengeHeaders(challenge));
}
