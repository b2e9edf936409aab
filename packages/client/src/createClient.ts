import type {
  CapabilityFindings,
  CapabilityHighlights,
  CapabilityId,
  CapabilityInput,
  CapabilityReadings,
} from "@assay/capabilities";
import {
  type CapabilityResult,
  type Catalog,
  capabilityResultSchema,
  catalogSchema,
  type Health,
  type Hex,
  healthSchema,
  microUsdFromNumber,
  type Quote,
  quoteSchema,
  usdFromMicro,
} from "@assay/protocol";
import type { CapabilityArguments } from "./capabilityArguments.js";
import type { ChainSource } from "./chain/askNode.js";
import { connect, type RequestOptions } from "./connect.js";
import { createBudget } from "./createBudget.js";
import { type Claims, createClaims } from "./createClaims.js";
import { createMarket, type Market } from "./createMarket.js";
import { createPayeeCheck } from "./createPayeeCheck.js";
import { createRecords, type Records } from "./createRecords.js";
import { NoAccountError, OtherAnswerError } from "./errors.js";
import { exchange, type HttpAnswer, readBody, readOk, unexpected } from "./exchange.js";
import { findOtherInput, findOtherQuestion } from "./findOtherQuestion.js";
import { buildInvokeRequest, readQuestion, readQuotedQuestion, toQuery } from "./invokeRequest.js";
import { isAuthorizationDead } from "./isAuthorizationDead.js";
import type { PreparedPayment } from "./preparedPayment.js";
import { DEFAULT_MAX_PRICE_USD, type Purchase, preparePayment, type SpendRules } from "./preparePayment.js";
import { readChallenge } from "./readChallenge.js";
import { readLimit } from "./readLimit.js";
import { readSettlement, type Settlement } from "./readSettlement.js";
import { type SendOptions, sendPayment } from "./sendPayment.js";
import type { PayerAccount } from "./signPayment.js";
import { type WindowState, watchResult } from "./watchResult.js";

/** USDC on Base. */
export const BASE_USDC: Hex = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
/** Servers refuse longer request lines; calldata may be longer, and only a body can carry it. */
const LONGEST_QUOTABLE_QUERY = 8_000;

export interface ClientConfig {
  /** Address of the service, for instance `http://127.0.0.1:8402`. */
  readonly baseUrl: string;
  /** Signs payments and actions. Reading needs none. */
  readonly account?: PayerAccount | undefined;
  /** No payment above this is signed. */
  readonly maxPriceUsd?: number | undefined;
  /**
   * All payments of this client together stay within this. Unless given, only each one is limited. What was signed counts,
   * also when the service says that it did not charge it.
   */
  readonly maxTotalUsd?: number | undefined;
  /**
   * A node of the caller's own: what it shows to have run out unused is given back to `maxTotalUsd`. Without one, nothing
   * that was signed is.
   */
  readonly node?: ChainSource | undefined;
  /** Tokens a payment may be made in; six decimals, one unit worth one USD. */
  readonly assets?: readonly Hex[] | undefined;
  /**
   * The address the service is known to sign with (`signingAddress` of `/.well-known/assay.json`, from a visit you trust).
   * Given, nothing is paid but what that key has offered: to this payee, at this price. Unless given, a payee is only
   * refused when an earlier one of this client was another.
   */
  readonly signer?: Hex | undefined;
  /**
   * Origin that signed actions are good for, when the service is known by another name than the one it is reached by.
   * Unless given, nothing is signed for any origin but that of `baseUrl`.
   */
  readonly audience?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export type QuoteFor<Id extends CapabilityId> = Quote & { readonly capabilityId: Id };
/** An answer with the types of what this capability was asked, read and made of it. */
export type ResultOf<Id extends CapabilityId> = {
  readonly [One in Id]: CapabilityResult & {
    readonly capabilityId: One;
    readonly result: {
      readonly evidence: {
        readonly input: CapabilityInput<One>;
        readonly readings: CapabilityReadings[One];
        readonly findings: CapabilityFindings[One];
      } & CapabilityHighlights[One];
    };
  };
}[Id];

export interface PaidAnswer<Id extends CapabilityId = CapabilityId> {
  /** The decision contract. */
  readonly answer: ResultOf<Id>;
  /** What the PAYMENT-RESPONSE header says about the transaction; null when the service sent none. */
  readonly settlement: Settlement | null;
  /** The body as received: save these bytes to verify them later. */
  readonly rawBody: Uint8Array;
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

export interface Client extends Market, Claims, Records {
  catalog(options?: RequestOptions): Promise<Catalog>;
  /** Readiness, also when the service is not ready. */
  health(options?: RequestOptions): Promise<Health>;
  /** What the plain challenge asks in USD, for any wallet; nothing is signed. */
  price<Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
    options?: RequestOptions,
  ): Promise<number>;
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
  /** Follows the chain until an answer no longer holds. */
  watch(answer: CapabilityResult, options?: RequestOptions): AsyncGenerator<WindowState, void, undefined>;
  /** What this client has signed for so far, less what the chain showed to have run out unused. */
  spentUsd(): number;
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
  const connection = connect(config);
  const { account, baseUrl, fetch, get } = connection;
  const { assets = [BASE_USDC], maxPriceUsd = DEFAULT_MAX_PRICE_USD, maxTotalUsd } = config;
  readLimit("maxPriceUsd", maxPriceUsd);
  const { node } = config;
  const budget = createBudget(
    maxTotalUsd === undefined ? undefined : readLimit("maxTotalUsd", maxTotalUsd),
    node === undefined ? undefined : (payment) => isAuthorizationDead(node, payment),
  );

  const rules: SpendRules = { assets, budget, maxPriceUsd, verifyPayee: createPayeeCheck(config.signer) };

  const prepareRequest = <Id extends CapabilityId>(purchase: Purchase<Id>, options: PrepareOptions = {}) =>
    preparePayment(
      connection,
      purchase,
      { ...rules, maxPriceUsd: options.maxPriceUsd ?? maxPriceUsd },
      options,
    );

  const client: Client = {
    ...createMarket(connection),
    ...createClaims(connection, rules),
    ...createRecords(connection),
    catalog: async (options) => readOk(await get("/api/v1/capabilities", options), catalogSchema),
    async health(options) {
      const answer = await get("/api/v1/health", options);
      // 503 carries the same body and names what is missing.
      return answer.status === 503 ? readBody(answer, healthSchema) : readOk(answer, healthSchema);
    },
    async price(id, input, options) {
      const request = buildInvokeRequest(baseUrl, id, input, account?.address);
      const { requirements } = readChallenge(await exchange(fetch, request, options), assets);
      return usdFromMicro(BigInt(requirements.amount));
    },
    async quote(id, input, options = {}) {
      const wallet = options.wallet ?? account?.address;
      if (!wallet) throw new NoAccountError("A quote");
      const query = new URLSearchParams({ ...toQuery(input), capability: id, wallet });
      const answer = await get(`/api/v1/quotes?${query}`, options);
      const quote = nameCapability(answer, quoteSchema, id);
      const other = findOtherInput(id, readQuotedQuestion(quote), input);
      if (other) throw unexpected(answer, `which is no quote for what was asked. ${other}`);
      return quote;
    },
    prepare: (quote, options) =>
      prepareRequest(
        {
          id: quote.capabilityId,
          // At our own address: the service may know itself by another name than the one it is reached by, and a payment
          // goes to no host but the one the caller chose.
          request: buildInvokeRequest(
            baseUrl,
            quote.capabilityId,
            readQuotedQuestion(quote),
            account?.address,
            quote.quoteId,
          ),
          agreedMicroUsd: microUsdFromNumber(quote.priceUsd),
        },
        options,
      ),
    prepareUnquoted: (id, input, options) =>
      prepareRequest({ id, request: buildInvokeRequest(baseUrl, id, input, account?.address) }, options),
    send: (prepared, options) =>
      sendPayment(fetch, prepared, (answer) => readAnswer(answer, prepared), options, budget),
    async call(id, input, options = {}) {
      if (!account) throw new NoAccountError("Paying");
      const fitsQuote = new URLSearchParams(toQuery(input)).toString().length <= LONGEST_QUOTABLE_QUERY;
      const prepared =
        (options.useQuote ?? fitsQuote)
          ? await client.prepare(await client.quote(id, input, { signal: options.signal }), options)
          : await client.prepareUnquoted(id, input, options);
      return client.send(prepared, options);
    },
    watch: (answer, options) => watchResult(client.health, answer, options),
    spentUsd: () => usdFromMicro(budget.spentMicroUsd),
  };
  return client;
}

/** Throws OtherAnswerError when it is an answer, and not to what was paid for. */
function readAnswer<Id extends CapabilityId>(
  answer: HttpAnswer,
  { capabilityId, request, priceUsd }: PreparedPayment<Id>,
): PaidAnswer<Id> {
  const result = readOk(answer, capabilityResultSchema);
  const other = findOtherQuestion(result, capabilityId, readQuestion(request));
  if (other) throw new OtherAnswerError(other);
  const { pricePaidUsd } = result.pricing;
  if (pricePaidUsd !== priceUsd)
    throw new OtherAnswerError(`It says ${pricePaidUsd} USD, and ${priceUsd} USD were signed.`, "paid");
  return {
    answer: result as ResultOf<Id>,
    settlement: readSettlement(answer),
    rawBody: answer.bytes,
  };
}

/** A quote for another capability than the one asked for is no quote. */
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
