import {
  type CapabilityId,
  type CapabilityResult,
  type Catalog,
  type capabilityInputs,
  capabilityResultSchema,
  catalogSchema,
  getCapabilitySpec,
  type Health,
  type Hex,
  healthSchema,
  microUsdFromNumber,
  type Quote,
  quoteSchema,
  type Receipt,
  receiptSchema,
  usdFromMicro,
} from "@assay/protocol";
import { NoAccountError, SpendLimitError, UnacceptableChallengeError } from "./errors.js";
import { exchange, type HttpAnswer, readBody, toError, unexpected } from "./exchange.js";
import type { HttpRequest } from "./httpRequest.js";
import type { PreparedPayment } from "./preparedPayment.js";
import { readChallenge } from "./readChallenge.js";
import { readSettlement, type Settlement } from "./readSettlement.js";
import { type SendOptions, sendPayment } from "./sendPayment.js";
import { type PayerAccount, signPayment } from "./signPayment.js";

/** USDC on Base. */
export const BASE_USDC: Hex = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
/** The limit stock x402 clients start with. */
export const DEFAULT_MAX_PRICE_USD = 1;

/** Servers refuse longer request lines; calldata may be longer, and only a body can carry it. */
const LONGEST_QUOTABLE_QUERY = 8_000;

export interface ClientConfig {
  /** Address of the service, for instance `http://127.0.0.1:8402`. */
  readonly baseUrl: string;
  /** Signs payments. Reading the catalog, health and receipts needs none. */
  readonly account?: PayerAccount | undefined;
  /** No payment above this is signed. */
  readonly maxPriceUsd?: number | undefined;
  /** Tokens a payment may be made in; six decimals, one unit worth one USD. */
  readonly assets?: readonly Hex[] | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** What a capability takes, before normalization. */
export type CapabilityArguments<Id extends CapabilityId> = (typeof capabilityInputs)[Id]["_zod"]["input"];
export type QuoteFor<Id extends CapabilityId> = Quote & { readonly capabilityId: Id };
export type ResultOf<Id extends CapabilityId> = CapabilityResult & { readonly capabilityId: Id };

export interface PaidAnswer<Id extends CapabilityId = CapabilityId> {
  /** The decision contract. */
  readonly answer: ResultOf<Id>;
  /** What the PAYMENT-RESPONSE header says about the transaction; null when the service sent none. */
  readonly settlement: Settlement | null;
  /** The body as received: save these bytes to verify them later. */
  readonly rawBody: Uint8Array;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}
export interface QuoteOptions extends RequestOptions {
  /** The wallet that will pay; the account's own unless given. */
  readonly wallet?: Hex | undefined;
}
export interface PrepareOptions extends RequestOptions {
  readonly maxPriceUsd?: number | undefined;
}
export interface CallOptions extends PrepareOptions, SendOptions {
  /**
   * False pays the plain challenge: one request less, without credit. Unless told, input too long
   * for a quote's URL goes without one.
   */
  readonly useQuote?: boolean | undefined;
}

export interface Client {
  catalog(options?: RequestOptions): Promise<Catalog>;
  /** Readiness, also when the service is not ready. */
  health(options?: RequestOptions): Promise<Health>;
  receipt(invocationId: string, options?: RequestOptions): Promise<Receipt>;
  /** A price for this wallet and input that stands for a minute. */
  quote<Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
    options?: QuoteOptions,
  ): Promise<QuoteFor<Id>>;
  /** Signs the payment a quote asks for, and sends nothing yet. */
  prepare<Id extends CapabilityId>(
    quote: QuoteFor<Id>,
    options?: PrepareOptions,
  ): Promise<PreparedPayment<Id>>;
  /** Signs the payment the plain challenge asks for, and sends nothing yet. */
  prepareUnquoted<Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
    options?: PrepareOptions,
  ): Promise<PreparedPayment<Id>>;
  /** Sends a signed payment, as often as it takes; the service charges it once. */
  send<Id extends CapabilityId>(
    prepared: PreparedPayment<Id>,
    options?: SendOptions,
  ): Promise<PaidAnswer<Id>>;
  /** Quote, pay, answer. */
  call<Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
    options?: CallOptions,
  ): Promise<PaidAnswer<Id>>;
}

/**
 * A client of one service.
 *
 * @example
 * const client = createClient({ baseUrl: "http://127.0.0.1:8402", account: privateKeyToAccount(key) });
 * const { answer } = await client.call("contract.guard", { address: "0x…" });
 * if (answer.verdict === "block") throw new Error(answer.result.summary);
 */
export function createClient(config: ClientConfig): Client {
  const baseUrl = config.baseUrl.replace(/\/+$/, "");
  const { account, assets = [BASE_USDC] } = config;
  const fetch = config.fetch ?? globalThis.fetch;
  const ask = (request: HttpRequest, { signal }: RequestOptions = {}) => exchange(fetch, request, { signal });
  const get = (path: string, options?: RequestOptions) =>
    ask({ method: "GET", url: baseUrl + path, body: null }, options);

  async function prepareRequest<Id extends CapabilityId>(
    id: Id,
    request: HttpRequest,
    quotedMicroUsd: bigint | undefined,
    options: PrepareOptions = {},
  ): Promise<PreparedPayment<Id>> {
    if (!account) throw new NoAccountError("Paying");
    const maxMicroUsd = microUsdFromNumber(
      options.maxPriceUsd ?? config.maxPriceUsd ?? DEFAULT_MAX_PRICE_USD,
    );
    const checkLimit = (priceMicroUsd: bigint) => {
      if (priceMicroUsd > maxMicroUsd)
        throw new SpendLimitError(id, usdFromMicro(priceMicroUsd), usdFromMicro(maxMicroUsd));
    };
    if (quotedMicroUsd !== undefined) checkLimit(quotedMicroUsd);
    const challenge = readChallenge(await ask(request, options), assets);
    const { amount, asset, payTo } = challenge.requirements;
    const priceMicroUsd = BigInt(amount);
    if (quotedMicroUsd !== undefined && priceMicroUsd !== quotedMicroUsd) {
      throw new UnacceptableChallengeError(
        `The quote said ${usdFromMicro(quotedMicroUsd)} USD and the challenge asks ${usdFromMicro(priceMicroUsd)} USD.`,
      );
    }
    checkLimit(priceMicroUsd);
    options.signal?.throwIfAborted();
    const signed = await signPayment(account, challenge, maxMicroUsd);
    return {
      capabilityId: id,
      request,
      priceUsd: usdFromMicro(priceMicroUsd),
      amount,
      asset,
      payTo,
      payer: account.address,
      authorizationNonce: signed.authorizationNonce,
      validBefore: new Date(signed.validBeforeSeconds * 1000).toISOString(),
      paymentSignature: signed.paymentSignature,
    };
  }

  const client: Client = {
    catalog: async (options) => readOk(await get("/api/v1/capabilities", options), catalogSchema),
    receipt: async (invocationId, options) =>
      readOk(await get(`/api/v1/receipts/${encodeURIComponent(invocationId)}`, options), receiptSchema),
    async health(options) {
      const answer = await get("/api/v1/health", options);
      // 503 carries the same body and names what is missing.
      return answer.status === 503 ? readBody(answer, healthSchema) : readOk(answer, healthSchema);
    },
    async quote(id, input, options = {}) {
      const wallet = options.wallet ?? account?.address;
      if (!wallet) throw new NoAccountError("A quote");
      const query = new URLSearchParams({ ...toQuery(input), capability: id, wallet });
      return nameCapability(await get(`/api/v1/quotes?${query}`, options), quoteSchema, id);
    },
    prepare: (quote, options) =>
      prepareRequest(
        quote.capabilityId,
        toRequest(baseUrl, quote),
        microUsdFromNumber(quote.priceUsd),
        options,
      ),
    async prepareUnquoted(id, input, options) {
      return prepareRequest(id, buildRequest(baseUrl, id, input), undefined, options);
    },
    async send(prepared, options) {
      const answer = await sendPayment(fetch, prepared, options);
      return {
        answer: nameCapability(answer, capabilityResultSchema, prepared.capabilityId),
        settlement: readSettlement(answer),
        rawBody: answer.bytes,
      };
    },
    async call(id, input, options = {}) {
      if (!account) throw new NoAccountError("Paying");
      const fitsQuote = new URLSearchParams(toQuery(input)).toString().length <= LONGEST_QUOTABLE_QUERY;
      const prepared =
        (options.useQuote ?? fitsQuote)
          ? await client.prepare(await client.quote(id, input, { signal: options.signal }), options)
          : await client.prepareUnquoted(id, input, options);
      return client.send(prepared, options);
    },
  };
  return client;
}

function readOk<T>(answer: HttpAnswer, schema: Parameters<typeof readBody<T>>[1]): T {
  if (answer.status !== 200) throw toError(answer);
  return readBody(answer, schema);
}

/** An answer about another capability than the one asked for is no answer. */
function nameCapability<T extends { capabilityId: string }, Id extends CapabilityId>(
  answer: HttpAnswer,
  schema: Parameters<typeof readBody<T>>[1],
  id: Id,
): T & { capabilityId: Id } {
  const value = readOk(answer, schema);
  if (value.capabilityId !== id)
    throw unexpected(answer, `about ${value.capabilityId} where ${id} was asked`);
  return value as T & { capabilityId: Id };
}

function toQuery(input: object): Record<string, string> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

function buildRequest<Id extends CapabilityId>(
  baseUrl: string,
  id: Id,
  input: CapabilityArguments<Id>,
): HttpRequest {
  const url = `${baseUrl}/api/v1/capabilities/${id}/invoke`;
  if (getCapabilitySpec(id).method === "POST") return { method: "POST", url, body: { ...input } };
  const query = new URLSearchParams(toQuery(input)).toString();
  return { method: "GET", url: query ? `${url}?${query}` : url, body: null };
}

/**
 * The quote's request at our own address: the service may know itself by another name than the one
 * it is reached by, and a payment goes to no host but the one the caller chose.
 */
function toRequest(baseUrl: string, { invokeUrl, invokeMethod, invokeBody }: Quote): HttpRequest {
  const path = /\/api\/v1\/capabilities\/.*$/.exec(invokeUrl)?.[0];
  if (path === undefined)
    throw new UnacceptableChallengeError(`The quote names no capability route: ${invokeUrl}.`);
  return { method: invokeMethod, url: baseUrl + path, body: invokeBody };
}
