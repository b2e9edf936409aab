import { type AgentActionName, audienceOf, serviceDescriptionSchema } from "@assay/protocol";
import { ForeignAudienceError, NoAccountError, ProblemError } from "./errors.js";
import { exchange, type HttpAnswer, readOk, toError } from "./exchange.js";
import { signAction } from "./signAction.js";
import type { PayerAccount } from "./signPayment.js";
import { sleep } from "./sleep.js";

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A free action, to be signed and sent. */
export interface Act {
  readonly action: AgentActionName;
  /** What the signature names. */
  readonly resource: string;
  readonly path: string;
  /** Without `wallet`, which is the signer's. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One service, as every part of the client reaches it. */
export interface Connection {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly account: PayerAccount | undefined;
  get(
    path: string,
    options?: RequestOptions & { readonly headers?: Record<string, string> },
  ): Promise<HttpAnswer>;
  act(act: Act, options?: RequestOptions): Promise<HttpAnswer>;
}

export interface ConnectionConfig {
  readonly baseUrl: string;
  readonly account?: PayerAccount | undefined;
  readonly audience?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const ATTEMPTS = 3;
const LONGEST_WAIT_SECONDS = 5;
/** Answers that say nothing was done, and that it may be done a moment later. */
const UNTOUCHED: ReadonlySet<string> = new Set([
  "chain_unavailable",
  "chain_head_stale",
  "overloaded",
  "shutting_down",
]);

export function connect(config: ConnectionConfig): Connection {
  if (!URL.canParse(config.baseUrl))
    throw new TypeError(`baseUrl must be an address like https://assay.example, not ${config.baseUrl}.`);
  const baseUrl = config.baseUrl.replace(/\/+$/, "");
  const fetch = config.fetch ?? globalThis.fetch;
  const { account } = config;
  const get: Connection["get"] = (path, options) =>
    exchange(fetch, { method: "GET", url: baseUrl + path, body: null }, options);
  let stated: Promise<string> | undefined;

  /** A signature is good for one server; which one is the caller's choice, never that of whoever answers. */
  async function getAudience(options: RequestOptions): Promise<string> {
    if (config.audience !== undefined) return audienceOf(config.audience);
    stated ??= get("/.well-known/assay.json", options)
      .then((answer) => readOk(answer, serviceDescriptionSchema).audience)
      .catch((error: unknown) => {
        stated = undefined;
        throw error;
      });
    const own = audienceOf(baseUrl);
    const audience = await stated;
    if (audience !== own) throw new ForeignAudienceError(own, audience);
    return audience;
  }

  async function act({ action, resource, path, body }: Act, options: RequestOptions = {}) {
    if (!account) throw new NoAccountError("Signing");
    const audience = await getAudience(options);
    const request = {
      method: "POST",
      url: baseUrl + path,
      body: { wallet: account.address, ...body },
    } as const;
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      // Anew for each attempt: a signature is good for minutes, and a nonce once.
      const headers = await signAction(account, audience, { action, resource });
      const answer = await exchange(fetch, request, { headers, signal: options.signal });
      const waitSeconds = attempt < ATTEMPTS ? findWaitSeconds(answer) : undefined;
      if (waitSeconds === undefined) return answer;
      await sleep(waitSeconds * 1000, options.signal);
    }
  }

  return { baseUrl, fetch, account, get, act };
}

function findWaitSeconds(answer: HttpAnswer): number | undefined {
  if (answer.status !== 503) return undefined;
  const error = toError(answer);
  if (!(error instanceof ProblemError) || !UNTOUCHED.has(error.code)) return undefined;
  const seconds = error.retryAfterSeconds ?? 1;
  return seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}
