import { type CapabilityInput, findCapabilityByAnyName, type ListedCapability } from "@assay/capabilities";
import { findServed, type ServedCapability } from "@assay/capabilities/served";
import { AssayError, inputHashOf } from "@assay/protocol";
import type { Context } from "hono";
import type { Metrics } from "../../base/metrics.js";
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
  const query = readQuery(c);
  // HEAD is safe (RFC 9110, section 9.2.1): it tells the price and takes no payment.
  const header = c.req.method === "HEAD" ? undefined : c.req.header("payment-signature");
  const source = method === "GET" ? query : ((await readJsonBody(c)) ?? {});
  if (method === "POST") verifyQueryNames(query, ["quote"]);
  const fields = pickInputFields({ ...capability, method }, source);
  if (method === "GET") {
    verifyDataInQuery(capability.id, fields, MAX_PAID_QUERY_DATA_CHARACTERS);
    // A tool call brings its input and its payment in a body, so what counts is the request as it came.
    verifyTargetLength(c.env?.incoming?.url ?? "");
  }
  const path = c.req.url.slice(new URL(c.req.url).origin.length);
  const origin = { sold: capability, path, clientAddress: clientAddress(c) };
  if (fields === undefined && header === undefined) {
    const terms = () => guessCallTerms(context, capability, undefined, undefined);
    return rememberedChallenge(context, c, { ...origin, inputHash: undefined, terms }, capability);
  }
  const input = parseInput(capability, fields ?? {});
  verifySupported(capability, input, context.settings);
  // Named for the sake of the quote; the question stays the same whoever asks it.
  if (capability.asksForWallet) parseFields(walletQuerySchema, query);
  const inputHash = inputHashOf(capability.id, capability.version, input);
  // Most challenges cost no read; these do.
  if (header === undefined && (query.quote !== undefined || capability.record !== null))
    await context.limits.consume("read", origin.clientAddress);
  const targetTerms = await findTargetTerms(context, capability, input);
  const terms = () => guessCallTerms(context, capability, input, inputHash, targetTerms);
  const request = { ...origin, inputHash, terms };
  // A price that depends on what memory cannot know is not given out twice.
  if (header === undefined && query.quote === undefined && !targetTerms)
    return rememberedChallenge(context, c, request, capability, input);
  if (header === undefined) {
    return challengeResponse(c, encodeChallenge(await challengeFor(context, request, query.quote)));
  }

  const sale = capabilitySale(context, capability, input);
  const metered = capability.fetchesPage(input)
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

const isAnswered = ({ chain, freshness }: InvokeContext, inputHash: string) =>
  freshness.hasAnswer(inputHash, chain.findHead()?.header.number ?? 0);

/** The capability that a request calls by its own name or by a deprecated one, with the method that it takes there. */
function getCalled(
  { settings }: InvokeContext,
  c: Context,
): { capability: ServedCapability; method: "GET" | "POST" } {
  const name = c.req.param("id") ?? "";
  const capability = findServed(findCapabilityByAnyName(name)?.id ?? "");
  if (!capability) throw new AssayError("not_found", "No capability has that name.");
  const { id, deprecatedName } = capability;
  const isOldName = name === deprecatedName?.name;
  if (isOldName) {
    // RFC 9745: seconds since 1970 after an at sign.
    c.header("deprecation", `@${Date.parse(deprecatedName.since) / 1000}`);
    c.header("link", `<${settings.publicUrl}/api/v1/capabilities/${id}/invoke>; rel="successor-version"`);
  }
  const method = isOldName ? deprecatedName.method : capability.method;
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
  { id: capabilityId, method, reuse }: ListedCapability,
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
