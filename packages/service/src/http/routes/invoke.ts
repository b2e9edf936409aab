import {
  AssayError,
  asksForWallet,
  type CapabilityInput,
  type CapabilitySpec,
  findCapabilitySpec,
  inputHashOf,
  isMarketAddress,
  TX_PREFLIGHT,
} from "@assay/protocol";
import type { Context } from "hono";
import { findCapability } from "../../capabilities/registry.js";
import type { Capability } from "../../capabilities/types.js";
import type { Metrics } from "../../metrics.js";
import { capabilitySale } from "../../payments/capabilitySale.js";
import type { PaidRequest } from "../../payments/challenge.js";
import { challengeFor } from "../../payments/paidCall.js";
import type { PaymentsContext, Sale } from "../../payments/serveReserved.js";
import { findTargetTerms, guessCallTerms } from "../../quotes/callTerms.js";
import { type ChallengeMemory, encodeChallenge } from "../challengeMemory.js";
import { clientAddress } from "../clientAddress.js";
import { challengeResponse, payAndAnswer } from "../payAndAnswer.js";
import {
  MAX_PAID_QUERY_DATA_CHARACTERS,
  parseFields,
  parseInput,
  pickInputFields,
  readJsonBody,
  readQuery,
  verifyDataInQuery,
  verifyQueryNames,
  verifyTargetLength,
  walletQuerySchema,
} from "../readInput.js";
import { verifySupported } from "../verifySupported.js";

export interface InvokeContext extends PaymentsContext {
  readonly metrics: Metrics;
  readonly challenges: ChallengeMemory;
}

/** GET or POST /api/v1/capabilities/{id}/invoke: 402 with the price, or the answer once it is paid. */
export async function invoke(context: InvokeContext, c: Context): Promise<Response> {
  const { capability, method } = getCalled(context, c);
  const { spec } = capability;
  const query = readQuery(c);
  // HEAD is safe (RFC 9110, section 9.2.1): it tells the price and takes no payment.
  const header = c.req.method === "HEAD" ? undefined : c.req.header("payment-signature");
  const source = method === "GET" ? query : ((await readJsonBody(c)) ?? {});
  if (method === "POST") verifyQueryNames(query, ["quote"]);
  const fields = pickInputFields({ ...spec, method }, source);
  if (method === "GET") {
    verifyDataInQuery(spec.id, fields, MAX_PAID_QUERY_DATA_CHARACTERS);
    // A tool call brings its input and its payment in a body, so what counts is the request as it came.
    verifyTargetLength(c.env?.incoming?.url ?? "");
  }
  const path = c.req.url.slice(new URL(c.req.url).origin.length);
  const origin = { sold: spec, path, clientAddress: clientAddress(c) };
  if (fields === undefined && header === undefined) {
    const terms = () => guessCallTerms(context, spec, undefined, undefined);
    return rememberedChallenge(context, c, { ...origin, inputHash: undefined, terms }, spec);
  }
  const input = parseInput(spec, fields ?? {});
  verifySupported(spec, input, context.settings);
  // Named for the sake of the quote; the question stays the same whoever asks it.
  if (asksForWallet(spec.id)) parseFields(walletQuerySchema, query);
  const inputHash = inputHashOf(spec.id, spec.version, input);
  // Most challenges cost no read; these do.
  if (header === undefined && (query.quote !== undefined || isAboutRecord(spec)))
    await context.limits.consume("read", origin.clientAddress);
  const targetTerms = await findTargetTerms(context, spec, input);
  const terms = () => guessCallTerms(context, spec, input, inputHash, targetTerms);
  const request = { ...origin, inputHash, terms };
  // A price that depends on what memory cannot know is not given out twice.
  if (header === undefined && query.quote === undefined && !targetTerms)
    return rememberedChallenge(context, c, request, spec, input);
  if (header === undefined) {
    return challengeResponse(c, encodeChallenge(await challengeFor(context, request, query.quote)));
  }

  const sale = capabilitySale(context, capability, input);
  const metered = fetchesPage(spec, input)
    ? meterPages(context, sale, inputHash, origin.clientAddress)
    : sale;
  return payAndAnswer(context, c, metered, request, header, 200);
}

/** Counts the page when it is about to be fetched: an answer that is stored or shared costs the caller none of its budget. */
const meterPages = (context: InvokeContext, sale: Sale, inputHash: string, address: string): Sale => ({
  async compute(reserved) {
    if (!isAnswered(context, inputHash)) await context.limits.consume("page", address);
    return sale.compute(reserved);
  },
});

/** Whether what the call is about must be on record here. */
const isAboutRecord = ({ id }: CapabilitySpec) => id === "evidence.artifact" || id === "obligation.verdict";

const fetchesPage = ({ id }: CapabilitySpec, input: CapabilityInput) =>
  id === "web.compile" ||
  (id === "prediction.evidence" && "market" in input && !isMarketAddress(input.market));

const isAnswered = ({ chain, freshness }: InvokeContext, inputHash: string) =>
  freshness.hasAnswer(inputHash, chain.findHead()?.header.number ?? 0);

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
  const methods = method === "GET" ? ["GET", "HEAD"] : [method];
  if (!methods.includes(c.req.method)) {
    c.header("allow", methods.join(", "));
    throw new AssayError("method_not_allowed", `${name} takes ${methods.join(", ")}.`);
  }
  return { capability, method };
}

/** An unquoted challenge, kept for the next caller of the same URL. */
async function rememberedChallenge(
  context: InvokeContext,
  c: Context,
  request: PaidRequest,
  { id: capabilityId, method, reuse }: CapabilitySpec,
  input?: CapabilityInput,
): Promise<Response> {
  const challenge = encodeChallenge(await challengeFor(context, request, undefined));
  // What a deprecated name answers carries headers of its own.
  if (method === "GET") {
    const { path, inputHash } = request;
    const isShared = reuse === "shared" && input !== undefined && inputHash !== undefined;
    const question = isShared ? { capabilityId, input, inputHash } : undefined;
    context.challenges.remember(path, request, challenge, question);
  }
  return challengeResponse(c, challenge);
}
