import { stringToHex } from "viem";
import { GuardRefusedError } from "./guardRefusedError.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import { classifyMethod, findGrant, type JudgedMethod } from "./proxy/methods.js";
import { readIntent } from "./proxy/readIntent.js";
import { type AllowPolicy, requireAllow } from "./requireAllow.js";

/** A wallet as pages and libraries know it (EIP-1193). */
export interface WalletProvider {
  request(query: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
}

/** Why a wallet was not asked, as `data` of the error that EIP-1193 defines. */
export interface ProviderRefusal {
  readonly verdict?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly summary: string;
  readonly receiptUrl?: string | undefined;
}

/** An error as EIP-1193 defines it, known by its code: libraries turn 4001 into their own error of a rejected request. */
export interface ProviderRefusedError extends Error {
  readonly code: 4001 | 4200 | -32602;
  readonly data: ProviderRefusal;
}

const refuse = (
  code: ProviderRefusedError["code"],
  message: string,
  data: ProviderRefusal,
  cause?: unknown,
): ProviderRefusedError => Object.assign(new Error(message, { cause }), { code, data });

/** Older ways to ask a wallet, which would go around the guard. */
const OLDER = new Set<PropertyKey>(["send", "sendAsync", "sendSync", "_send", "_sendAsync", "_request"]);

/**
 * The same wallet, but what it is asked to sign or send is judged first: a refusal is the error 4001 of EIP-1193, and the wallet
 * never learns of the request. Reads pass; a method that signs and cannot be judged, or is not known, is 4200.
 *
 * @example
 * const wallet = createWalletClient({ chain: base, transport: custom(guardProvider(window.ethereum, { assay })) });
 */
export function guardProvider<P extends WalletProvider>(provider: P, policy: AllowPolicy): P {
  const request = async (query: { readonly method: string; readonly params?: unknown }) => {
    const { method, params = [] } = query;
    const grant = findGrant(method, params);
    const known = grant === undefined ? classifyMethod(method) : ({ kind: "refuse", why: grant } as const);
    if (known.kind === "pass") return provider.request({ method, params });
    if (known.kind === "refuse")
      throw refuse(4200, `Assay does not pass on ${method}: ${known.why}.`, {
        summary: known.why,
      });
    return provider.request({ method, params: await judgeRequest(method as JudgedMethod, params, policy) });
  };
  return new Proxy(provider, {
    get(target, key) {
      if (key === "request") return request;
      if (OLDER.has(key)) return undefined;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The parameters in the one spelling that was judged. */
async function judgeRequest(method: JudgedMethod, params: unknown, policy: AllowPolicy): Promise<unknown[]> {
  const intent = await readIntent(method, readParams(method, params), undefined).catch((error: unknown) => {
    if (!(error instanceof TypeError || error instanceof InvalidArgumentError)) throw error;
    throw refuse(-32602, `${method}: ${error.message}`, { summary: error.message }, error);
  });
  if (intent.createsContract || intent.unseen.length > 0) {
    const summary = intent.createsContract
      ? "No guard judges the creation of a contract."
      : "It changes the code of an account, which no guard runs.";
    throw refuse(4001, summary, { summary });
  }
  for (const question of intent.questions)
    await requireAllow(question, policy).catch((error: unknown) => {
      if (!(error instanceof GuardRefusedError)) throw error;
      const { reasons } = error;
      const { verdict, result, receiptUrl } = error.answer;
      throw refuse(4001, error.message, { verdict, reasons, summary: result.summary, receiptUrl }, error);
    });
  return intent.params;
}

function readParams(method: JudgedMethod, params: unknown): unknown[] {
  // A copy: what is judged is what is signed, also when somebody changes the object meanwhile.
  const copied: unknown = structuredClone(params);
  if (!Array.isArray(copied))
    throw refuse(-32602, "params must be a list.", { summary: "params must be a list." });
  const [message, ...rest] = copied;
  return method === "personal_sign" && typeof message === "string" && !message.startsWith("0x")
    ? [stringToHex(message), ...rest]
    : copied;
}
