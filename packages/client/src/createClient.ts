import type { CapabilityId } from "@assay/capabilities";
import {
  BASE_USDC,
  type CapabilityResult,
  type Catalog,
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
import type { ChannelOptions, ChannelStatus } from "./channel/channelContext.js";
import type { ClosedChannel } from "./channel/closeChannel.js";
import type { Channel } from "./channel/openChannel.js";
import type { Question } from "./checkResult.js";
import { connect, type RequestOptions } from "./connect.js";
import { createBudget } from "./createBudget.js";
import { type Claims, createClaims } from "./createClaims.js";
import { createMarket, type Market } from "./createMarket.js";
import { createPayeeVerifier } from "./createPayeeVerifier.js";
import { createRecords, type Records } from "./createRecords.js";
import { NoAccountError, PaymentRefusedError } from "./errors.js";
import { exchange, type HttpAnswer, readBody, readOk, unexpected } from "./exchange.js";
import type { FollowSigner } from "./followKeys.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import type { Judgement } from "./judge.js";
import { loadAsking } from "./loadAsking.js";
import { loadPaying } from "./loadPaying.js";
import type {
  CallOptions,
  CallUnverified,
  PaidAnswer,
  PrepareOptions,
  VerifiedAnswer,
} from "./paidAnswer.js";
import type { PreparedPayment } from "./preparedPayment.js";
import type { Purchase, SpendRules } from "./preparePayment.js";
import { readChallenge } from "./readChallenge.js";
import { DEFAULT_MAX_PRICE_USD, readLimit } from "./readLimit.js";
import type { SendOptions } from "./sendPayment.js";
import type { GuardOf, SigningQuestion } from "./signingQuestion.js";
import type { PayerAccount } from "./signPayment.js";
import type { ExpectedSigner } from "./verifyPaid.js";
import type { WindowState } from "./watchResult.js";

/** Servers refuse longer request lines. Calldata may be longer, and then only a body can carry it. */
const MAX_QUOTABLE_QUERY_CHARACTERS = 8_000;

export interface ClientConfig {
  /** Address of the service, for instance `http://127.0.0.1:8402`. */
  readonly baseUrl: string;
  /** Signs payments and actions. Reading needs no account. */
  readonly account?: PayerAccount | undefined;
  /** No payment above this is signed. */
  readonly maxPriceUsd?: number | undefined;
  /**
   * All payments of this client together stay within this. Unless given, only each single one is limited. Every signed
   * payment counts, also one that the service says it did not charge. Of a channel, the highest voucher counts, and no
   * deposit is larger than what is left.
   */
  readonly maxTotalUsd?: number | undefined;
  /**
   * A node of the caller's own. Payments that it shows to have expired unused no longer count towards `maxTotalUsd`;
   * without a node every signed payment counts for ever.
   */
  readonly node?: ChainSource | undefined;
  /** Tokens a payment may be made in; six decimals, one unit worth one USD. */
  readonly assets?: readonly Hex[] | undefined;
  /**
   * The address the service is known to sign with (`signingAddress` of `/.well-known/assay.json`, from a visit you trust).
   * Given, the client pays only what that key has offered: to this payee, at this price; and `call` returns only what that key
   * has signed. A successor that this key has named counts as it. Unless given, a payee is refused only when it differs from the client's first one, and no answer is `verified`.
   */
  readonly signer?: Hex | undefined;
  /**
   * Origin that signed actions are valid for, when the service's public origin is not that of `baseUrl`. Unless given,
   * actions are signed only for the origin of `baseUrl`.
   */
  readonly audience?: string | undefined;
  /**
   * Given, `call` pays from a channel: the first call deposits, every call is paid by a signature and needs no transaction.
   * Calls of this client then follow each other. `prepare` and claims are paid one by one all the same.
   */
  readonly channel?: ChannelOptions | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export type QuoteFor<Id extends CapabilityId> = Quote & { readonly capabilityId: Id };
export interface QuoteOptions extends RequestOptions {
  /** The wallet that will pay; the account's own unless given. */
  readonly wallet?: Hex | undefined;
}
export interface Client extends Market, Claims, Records {
  /**
   * `stated`, where the service shows statements that lead from the pinned key to it, each signed by both of its keys; otherwise the
   * pinned key.
   */
  readonly followSigner: FollowSigner;
  catalog(options?: RequestOptions): Promise<Catalog>;
  /** Readiness, also when the service is not ready. */
  health(options?: RequestOptions): Promise<Health>;
  /** The price of the plain challenge in USD, the same for any wallet; nothing is signed. */
  price<Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
    options?: RequestOptions,
  ): Promise<number>;
  /** A price for this wallet and input that is valid for one minute. */
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
  /** Sends a signed payment until it is answered; the service charges it once. */
  send<Id extends CapabilityId>(
    prepared: PreparedPayment<Id>,
    options?: SendOptions,
  ): Promise<PaidAnswer<Id>>;
  /**
   * Gets a quote, pays it, and returns the answer once it is verified: hashes, signature, the rule run again, the proofs, and
   * that it answers this question. Throws VerificationError, which keeps what was paid for, when a step fails. Without `signer`
   * the key is the one that the service publishes, asked for once, and the conclusion is `self_consistent`, never `verified`.
   * It does not show that the answer still holds: `confirmAnswer` does. A price ends with the stored answer that it is for: where that happened
   * before the payment arrived, or where another call of this wallet spent the credit of the quote, and nothing was charged, the
   * new price is paid if it is within the limits. Once only.
   */
  call<Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
    options?: CallOptions,
  ): Promise<VerifiedAnswer<Id>>;
  /** As `call`, for an answer that is verified elsewhere or later. */
  readonly callUnverified: CallUnverified;
  /**
   * Buys a verdict on a transaction or a message, for any wallet, and verifies it: `judge` with this client's `signer`, `node`
   * and limits. Needs `signer`.
   */
  judge<const Q extends SigningQuestion>(
    question: Q,
    options?: PrepareOptions,
  ): Promise<Judgement<GuardOf<Q>>>;
  /** Follows the chain until an answer no longer holds. */
  watch(answer: CapabilityResult, options?: RequestOptions): AsyncGenerator<WindowState, void, undefined>;
  /** The channel as this client counts it; undefined while none is open. Asks nobody. */
  channelStatus(): Promise<ChannelStatus | undefined>;
  /**
   * Asks for what is left in the channel, and checks what comes back: by the caller's node where one was given, else by the
   * statement of the service. Undefined when none is open. The next call opens another channel.
   */
  closeChannel(options?: RequestOptions): Promise<ClosedChannel | undefined>;
  /** The sum of the payments this client has signed, without those that the chain showed to have expired unused. */
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
    node === undefined
      ? undefined
      : async (payment) => (await import("./isAuthorizationDead.js")).isAuthorizationDead(node, payment),
  );

  const followSigner: FollowSigner = async (pinned, stated) => {
    if (stated.toLowerCase() === pinned.toLowerCase()) return pinned;
    follower ??= (await import("./followKeys.js")).createSignerFollower(() => client.describe());
    return follower(pinned, stated);
  };
  let follower: FollowSigner | undefined;

  const rules: SpendRules = {
    assets,
    budget,
    maxPriceUsd,
    verifyPayee: createPayeeVerifier(config.signer, followSigner),
  };

  const prepareRequest = async <Id extends CapabilityId>(
    purchase: Purchase<Id>,
    options: PrepareOptions = {},
  ) => {
    const { preparePayment } = await loadPaying();
    const limits = { ...rules, maxPriceUsd: options.maxPriceUsd ?? maxPriceUsd };
    return preparePayment(connection, purchase, limits, options);
  };
  let opened: Promise<Channel> | undefined;
  const getChannel = (terms: ChannelOptions) => {
    opened ??= import("./channel/openChannel.js").then(({ openChannel }) =>
      openChannel(connection, rules, terms, node),
    );
    return opened;
  };
  const { channel } = config;

  const buyQuoted = async <Id extends CapabilityId>(quote: QuoteFor<Id>): Promise<Purchase<Id>> => {
    const { buildInvokeRequest, readQuotedQuestion } = await loadAsking();
    const { capabilityId: id, quoteId, priceUsd } = quote;
    // Not at the quote's own address: a payment goes only to the host that the caller chose.
    const request = buildInvokeRequest(baseUrl, id, readQuotedQuestion(quote), account?.address, quoteId);
    return { id, request, agreedMicroUsd: microUsdFromNumber(priceUsd) };
  };
  const verifyNoKey = async (input: object) => {
    const { holdsOwnKey } = await loadAsking();
    if (account && (await holdsOwnKey(input, account.address)))
      throw new InvalidArgumentError(
        "The input holds the private key of the wallet that pays. Nothing was asked.",
      );
  };
  const buyUnquoted = async <Id extends CapabilityId>(
    id: Id,
    input: CapabilityArguments<Id>,
  ): Promise<Purchase<Id>> => {
    const { buildInvokeRequest } = await loadAsking();
    await verifyNoKey(input);
    return { id, request: buildInvokeRequest(baseUrl, id, input, account?.address) };
  };

  let published: Promise<Hex> | undefined;
  /** A service that does not say its key must not cost the caller an answer that is paid for. */
  const findSigner = async (stated: string): Promise<ExpectedSigner> => {
    if (config.signer !== undefined) return { known: await followSigner(config.signer, stated) };
    published ??= client.describe().then(({ signingAddress }) => signingAddress);
    return { published: await published.catch(() => (published = undefined)) };
  };

  const client: Client = {
    ...createMarket(connection),
    ...createClaims(connection, rules),
    ...createRecords(connection),
    followSigner,
    catalog: async (options) => readOk(await get("/api/v1/capabilities", options), catalogSchema),
    async health(options) {
      const answer = await get("/api/v1/health", options);
      // 503 carries the same body and names what is missing.
      return answer.status === 503 ? readBody(answer, healthSchema) : readOk(answer, healthSchema);
    },
    async price(id, input, options) {
      const { request } = await buyUnquoted(id, input);
      const { requirements } = readChallenge(await exchange(fetch, request, options), assets);
      return usdFromMicro(BigInt(requirements.amount));
    },
    async quote(id, input, options = {}) {
      const wallet = options.wallet ?? account?.address;
      if (!wallet) throw new NoAccountError("A quote");
      const { findOtherInput, readQuotedQuestion, toQuery } = await loadAsking();
      await verifyNoKey(input);
      const query = new URLSearchParams({ ...toQuery(input), capability: id, wallet });
      const answer = await get(`/api/v1/quotes?${query}`, options);
      const quote = readBodyOf(answer, quoteSchema, id);
      const other = findOtherInput(id, readQuotedQuestion(quote), input);
      if (other) throw unexpected(answer, `which is a quote for something else. ${other}`);
      return quote;
    },
    prepare: async (quote, options) => prepareRequest(await buyQuoted(quote), options),
    prepareUnquoted: async (id, input, options) => prepareRequest(await buyUnquoted(id, input), options),
    async send(prepared, options) {
      const { readAnswer, sendPayment } = await loadPaying();
      return sendPayment(fetch, prepared, (answer) => readAnswer(answer, prepared), options, budget);
    },
    async call(id, input, options) {
      const paid = await client.callUnverified(id, input, options);
      const [{ verifyPaid }, expected] = await Promise.all([
        import("./verifyPaid.js"),
        findSigner(paid.answer.evidenceReference.signer),
      ]);
      return verifyPaid(paid, { capabilityId: id, input } as Question, expected);
    },
    async callUnverified(id, input, options = {}) {
      if (!account) throw new NoAccountError("Paying");
      const { toQuery } = await loadAsking();
      const fitsQuote =
        new URLSearchParams(toQuery(input)).toString().length <= MAX_QUOTABLE_QUERY_CHARACTERS;
      const useQuote = options.useQuote ?? fitsQuote;
      const choose = async (quoted: boolean) =>
        quoted
          ? buyQuoted(await client.quote(id, input, { signal: options.signal }))
          : buyUnquoted(id, input);
      // One name for both attempts below: the second must not buy what the first has bought.
      const paymentId = options.paymentId ?? (await loadPaying()).createPaymentId();
      const payOnce = async (quoted: boolean) => {
        if (!channel)
          return client.send(await prepareRequest(await choose(quoted), { ...options, paymentId }), options);
        return (await getChannel(channel)).buy(
          () => choose(quoted),
          (await loadPaying()).readAnswer,
          options,
        );
      };
      return payOnce(useQuote).catch((error: unknown) => {
        if (!(error instanceof PaymentRefusedError)) throw error;
        if (error.offerEnded) return payOnce(useQuote);
        // Other calls of this wallet took the credit first. The plain challenge relies on none, so it cannot be refused for that again.
        if (error.code === "quote_credit_spent") return payOnce(false);
        throw error;
      });
    },
    async judge(question, { maxPriceUsd, signal } = {}) {
      const { signer } = config;
      if (signer === undefined)
        throw new InvalidArgumentError(
          "judge needs the address that the service is known to sign with: give signer to createClient.",
        );
      const { judge } = await import("./judge.js");
      return judge(question, { assay: client, signer, node, maxPriceUsd }, { signal });
    },
    async *watch(answer, options) {
      const { watchResult } = await import("./watchResult.js");
      yield* watchResult(client.health, answer, options);
    },
    channelStatus: async () => channel && (await getChannel(channel)).findStatus(),
    closeChannel: async (options) => channel && (await getChannel(channel)).close(options),
    spentUsd: () => usdFromMicro(budget.spentMicroUsd),
  };
  return client;
}

/** Reads a body of this capability. Throws UnexpectedResponseError when it is of another one. */
function readBodyOf<T extends { capabilityId: string }, Id extends CapabilityId>(
  answer: HttpAnswer,
  schema: Parameters<typeof readBody<T>>[1],
  id: Id,
): T & { capabilityId: Id } {
  const value = readOk(answer, schema);
  if (value.capabilityId !== id) throw unexpected(answer, `about ${value.capabilityId}, but ${id} was asked`);
  return value as T & { capabilityId: Id };
}
