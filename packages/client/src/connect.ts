import { type AgentActionName, audienceOf, serviceDescriptionSchema } from "@assay/protocol";
import { ForeignAudienceError, NoAccountError, ProblemError } from "./errors.js";
import { exchange, type HttpAnswer, readOk, toError } from "./exchange.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
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

/** How every part of the client reaches the one service. */
export interface Connection {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly account: PayerAccount | undefined;
  get(
    path: string,
    options?: RequestOptions & { readonly headers?: Record<string, string> },
  ): Promise<HttpAnswer>;
  act(act: Act, options?: RequestOptions): Promise<HttpAnswer>;
  /** Headers by which the account shows that it asks. */
  sign(act: Pick<Act, "action" | "resource">, options?: RequestOptions): Promise<Record<string, string>>;
}

export interface ConnectionConfig {
  readonly baseUrl: string;
  readonly account?: PayerAccount | undefined;
  readonly audience?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const MAX_ATTEMPTS = 3;
const MAX_WAIT_SECONDS = 5;
/** Problems that say that nothing was done and that a retry may succeed. */
const SAFE_TO_REPEAT: ReadonlySet<string> = new Set([
  "chain_unavailable",
  "chain_head_stale",
  "overloaded",
  "shutting_down",
]);

export function connect(config: ConnectionConfig): Connection {
  if (!URL.canParse(config.baseUrl))
    throw new InvalidArgumentError(
      `baseUrl must be an address like https://assay.example, not ${config.baseUrl}.`,
    );
  const baseUrl = config.baseUrl.replace(/\/+$/, "");
  const fetch = config.fetch ?? globalThis.fetch;
  const { account } = config;
  const get: Connection["get"] = (path, options) =>
    exchange(fetch, { method: "GET", url: baseUrl + path, body: null }, options);
  let statedAudience: Promise<string> | undefined;

  /** A signature is valid for one server. The caller chooses which one, never the server that answers. */
  async function getAudience(options: RequestOptions): Promise<string> {
    if (config.audience !== undefined) return audienceOf(config.audience);
    statedAudience ??= get("/.well-known/assay.json", options)
      .then((answer) => readOk(answer, serviceDescriptionSchema).audience)
      .catch((error: unknown) => {
        statedAudience = undefined;
        throw error;
      });
    const own = audienceOf(baseUrl);
    const audience = await statedAudience;
    if (audience !== own) throw new ForeignAudienceError(own, audience);
    return audience;
  }

  const sign: Connection["sign"] = async ({ action, resource }, options = {}) => {
    if (!account) throw new NoAccountError("Signing");
    return signAction(account, await getAudience(options), { action, resource });
  };

  async function act({ action, resource, path, body }: Act, options: RequestOptions = {}) {
    if (!account) throw new NoAccountError("Signing");
    const request = {
      method: "POST",
      url: baseUrl + path,
      body: { wallet: account.address, ...body },
    } as const;
    for (let attempt = 1; ; attempt++) {
      options.signal?.throwIfAborted();
      // Signed again for each attempt: a signature is valid for minutes, and a nonce once.
      const headers = await sign({ action, resource }, options);
      const answer = await exchange(fetch, request, { headers, signal: options.signal });
      const waitSeconds = attempt < MAX_ATTEMPTS ? findWaitSeconds(answer) : undefined;
      if (waitSeconds === undefined) return answer;
      await sleep(waitSeconds * 1000, options.signal);
    }
  }

  return { baseUrl, fetch, account, get, act, sign };
}

function findWaitSeconds(answer: HttpAnswer): number | undefined {
  if (answer.status !== 503) return undefined;
  const error = toError(answer);
  if (!(error instanceof ProblemError) || !SAFE_TO_REPEAT.has(error.code)) return undefined;
  const seconds = error.retryAfterSeconds ?? 1;
  return seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
}
