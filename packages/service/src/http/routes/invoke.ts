import {
  type CapabilityInput,
  capabilities,
  type DeprecatedName,
  dataInQuerySchema,
  findCapabilityByAnyName,
  type ListedCapability,
} from "@assay/capabilities";
import type { PageReader } from "@assay/pages";
import { AssayError, capabilityResultSchema, EXAMPLE_WALLET, inputHashOf } from "@assay/protocol";
import type { Context } from "hono";
import type { Metrics } from "../../base/metrics.js";
import { capabilitySale } from "../../payments/capabilitySale.js";
import { challengeFor, type SaleRequest } from "../../payments/challenge.js";
import type { Sale } from "../../payments/paidCall.js";
import { readPaymentHeader } from "../../payments/paymentHeader.js";
import type { PaymentsContext } from "../../payments/paymentsContext.js";
import { findTargetTerms, guessCallTerms } from "../../quotes/callTerms.js";
import { getPrices } from "../../quotes/priceBook.js";
import { answerRefund, findRefund } from "../answerRefund.js";
import { type ChallengeMemory, encodeChallenge } from "../challengeMemory.js";
import { clientAddress } from "../clientAddress.js";
import { nameOperation } from "../openapi/nameOperation.js";
import type { Operation } from "../openapi/operation.js";
import { paymentFields, paymentProblems } from "../openapi/payment.js";
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
import type { Route } from "../route.js";
import { verifySupported } from "../verifySupported.js";

export interface InvokeContext extends PaymentsContext {
  readonly metrics: Metrics;
  readonly challenges: ChallengeMemory;
}

export const invoke: Route<InvokeContext> = {
  path: "/api/v1/capabilities/{id}/invoke",
  method: "any",
  operations: [
    ...capabilities.map((capability) => describeInvoke(capability)),
    ...capabilities.flatMap((capability) =>
      capability.deprecatedName ? [describeFormerName(capability, capability.deprecatedName)] : [],
    ),
  ],
  createHandler: (context) => (c) => answerInvoke(context, c),
};

/** The call of a capability by its own name, or by a former one with the method that it takes there. */
function describeInvoke(
  capability: ListedCapability,
  name: string = capability.id,
  method: "GET" | "POST" = capability.method,
): Operation {
  const { id, input, example, asksForWallet, reuse, errors } = capability;
  const inBody = method === "POST";
  return {
    id: nameOperation("invoke", name),
    method: inBody ? "post" : "get",
    path: `/api/v1/capabilities/${name}/invoke`,
    tag: "capabilities",
    summary: `${id}: ${capability.title}`,
    description: [
      capability.summary,
      reuse === "shared"
        ? "Shared: costs less while an answer is fresh."
        : "Private to the payer: never cached, shared or resold.",
      `Holds for about ${capability.ttlSeconds} seconds.`,
    ].join(" "),
    query: {
      ...(!inBody && input.shape),
      ...(asksForWallet && walletQuerySchema.shape),
      ...paymentFields.query,
    },
    headers: paymentFields.headers,
    examples: { ...example, wallet: EXAMPLE_WALLET },
    ...(inBody && { body: { schema: input, example } }),
    price: (prices) => {
      const { hitMicroUsd, missMicroUsd } = getPrices(prices, id);
      return { leastMicroUsd: hitMicroUsd, mostMicroUsd: missMicroUsd };
    },
    answers: {
      200: {
        description: "The verdict and its evidence.",
        schema: capabilityResultSchema,
        headers: ["Cache-Control", "PAYMENT-RESPONSE"],
      },
    },
    problems: [
      "invalid_input",
      ...(inBody ? (["invalid_json", "body_too_large", "unsupported_media_type"] as const) : []),
      ...errors,
      // A private answer is deleted after an hour, and its payment may be sent again later.
      ...(reuse === "private" ? (["answer_deleted"] as const) : []),
      ...paymentProblems,
    ],
  };
}

function describeFormerName(capability: ListedCapability, { name, method }: DeprecatedName): Operation {
  const operation = describeInvoke(capability, name, method);
  return {
    ...operation,
    summary: `Deprecated name of ${capability.id}`,
    description: `Takes the same input in the query. Use ${capability.method} /api/v1/capabilities/${capability.id}/invoke. Problems carry the headers Deprecation and Link as well.`,
    deprecated: true,
    query: { ...operation.query, data: dataInQuerySchema(MAX_PAID_QUERY_DATA_CHARACTERS) },
    answersLike: nameOperation("invoke", capability.id),
    someHeaders: ["Deprecation", "Link"],
  };
}

/** 402 with the price, or the answer once it is paid. */
async function answerInvoke(context: InvokeContext, c: Context): Promise<Response> {
  const { capability, method } = getCalled(context, c);
  const query = readQuery(c);
  // HEAD is safe (RFC 9110, section 9.2.1): it returns the price and takes no payment.
  const header = c.req.method === "HEAD" ? undefined : c.req.header("payment-signature");
  const source = method === "GET" ? query : ((await readJsonBody(c)) ?? {});
  if (method === "POST") verifyQueryNames(query, ["quote"]);
  const fields = pickInputFields({ ...capability, method }, source);
  if (method === "GET") {
    verifyDataInQuery(capability.id, fields, MAX_PAID_QUERY_DATA_CHARACTERS);
    // A tool call brings its input and its payment in a body, so the limit applies to the request as it came.
    verifyTargetLength(c.env?.incoming?.url ?? "");
  }
  const path = c.req.url.slice(new URL(c.req.url).origin.length);
  const origin = { sold: capability, path, clientAddress: clientAddress(c) };
  const payment = header === undefined ? undefined : readPaymentHeader(header);
  const refund = payment && findRefund(payment);
  if (refund) {
    const terms = () => guessCallTerms(context, capability, undefined, undefined);
    return answerRefund(context, c, { ...origin, inputHash: undefined, terms }, refund);
  }
  if (fields === undefined && payment === undefined) {
    const terms = () => guessCallTerms(context, capability, undefined, undefined);
    return rememberedChallenge(context, c, { ...origin, inputHash: undefined, terms }, capability);
  }
  const input = parseInput(capability, fields ?? {});
  await verifySupported(capability, input, context.settings);
  // The wallet binds a quote; the question stays the same for every wallet.
  if (capability.asksForWallet) parseFields(walletQuerySchema, query);
  const inputHash = inputHashOf(capability.id, capability.version, input);
  // Most challenges cost no read of the database; these do.
  if (payment === undefined && (query.quote !== undefined || capability.record !== null))
    await context.limits.consume("read", origin.clientAddress);
  const targetTerms = await findTargetTerms(context, capability, input);
  const terms = () => guessCallTerms(context, capability, input, inputHash, targetTerms);
  const request = { ...origin, inputHash, terms };
  // A price that depends on more than memory knows is not given out twice.
  if (payment === undefined && query.quote === undefined && !targetTerms)
    return rememberedChallenge(context, c, request, capability, input);
  if (payment === undefined) {
    return challengeResponse(c, encodeChallenge(await challengeFor(context, request, query.quote)));
  }

  const sale = meterPages(capabilitySale(capability, input), origin.clientAddress);
  return payAndAnswer(context, c, sale, request, payment, 200);
}

/**
 * Counts each page just before it is fetched, for every capability that reads pages. A stored answer fetches none, so it costs
 * the caller none of its budget.
 */
const meterPages = (sale: Sale, address: string): Sale => ({
  compute(call, isOwed) {
    const { limits, pages } = call.context;
    const metered: PageReader = {
      ...pages,
      async read(url) {
        await limits.consume("page", address);
        return pages.read(url);
      },
    };
    return sale.compute({ ...call, context: { ...call.context, pages: metered } }, isOwed);
  },
});

/** The capability that a request calls by its own name or by a former one, with the method that it takes there. */
function getCalled(
  { settings }: InvokeContext,
  c: Context,
): { capability: ListedCapability; method: "GET" | "POST" } {
  const name = c.req.param("id") ?? "";
  const capability = findCapabilityByAnyName(name);
  if (!capability) throw new AssayError("not_found", "No capability has that name.");
  const { id, deprecatedName } = capability;
  const isFormerName = name === deprecatedName?.name;
  if (isFormerName) {
    // RFC 9745: seconds since 1970 after an at sign.
    c.header("deprecation", `@${Date.parse(deprecatedName.since) / 1000}`);
    c.header("link", `<${settings.publicUrl}/api/v1/capabilities/${id}/invoke>; rel="successor-version"`);
  }
  const method = isFormerName ? deprecatedName.method : capability.method;
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
  request: SaleRequest,
  { id: capabilityId, method, reuse }: ListedCapability,
  input?: CapabilityInput,
): Promise<Response> {
  const challenge = await challengeFor(context, request, undefined);
  // A URL does not repeat a POST. A former name is not kept either: its answers carry headers of their own.
  if (method !== "GET") return challengeResponse(c, encodeChallenge(challenge));
  const { path, inputHash } = request;
  const isShared = reuse === "shared" && input !== undefined && inputHash !== undefined;
  const question = isShared ? { capabilityId, input, inputHash } : undefined;
  return challengeResponse(c, context.challenges.remember(path, request, challenge, question));
}
