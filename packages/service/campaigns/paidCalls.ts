import { createHash } from "node:crypto";
import type { Hex, PaymentPayload, PaymentRequired, Quote } from "@assay/protocol";
import { type HashTypedDataParameters, hashTypedData } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { signDigest, toSignatureHex } from "../src/base/secp256k1.js";
import { fetchChallenge, signPayment, toHeader } from "../test/payer.js";

/** A signed payment and the request it was made for; `path` is the same at every process. */
export interface PaidCall {
  readonly path: string;
  readonly payment: PaymentPayload;
  readonly header: string;
  readonly payer: PrivateKeyAccount;
}

/** What a caller saw: a status with its code, or no answer at all. */
export interface Sight {
  /** 0 when the connection broke. */
  readonly status: number;
  /** The `code` of a problem, or the first word of a challenge's `error`. */
  readonly code: string;
  /** sha256 of the body and the PAYMENT-RESPONSE of a 200. */
  readonly digest: string | undefined;
  readonly retryAfterMs: number;
  /** Absent when the connection broke. */
  readonly headers?: Headers;
  readonly body?: Buffer;
}

/** An account that signs natively, so that the campaign spends its time on the service. */
export function createPayer(privateKey: Hex): PrivateKeyAccount {
  const account = privateKeyToAccount(privateKey);
  return {
    ...account,
    signTypedData: async (data: unknown) =>
      toSignatureHex(signDigest(privateKey, hashTypedData(data as HashTypedDataParameters))),
  } as PrivateKeyAccount;
}

export const guardPath = (address: string) => `/api/v1/capabilities/contract.guard/invoke?address=${address}`;
export const SNAPSHOT_PATH = "/api/v1/capabilities/chain.snapshot/invoke";

/** A quote's path for this wallet. */
export async function fetchQuote(
  url: string,
  input: Record<string, string>,
  wallet: string,
): Promise<{ quote: Quote; path: string }> {
  const response = await fetch(
    `${url}/api/v1/quotes?${new URLSearchParams({ ...input, wallet: wallet.toLowerCase() })}`,
  );
  if (response.status !== 200)
    throw new Error(`no quote: ${response.status} ${(await response.text()).slice(0, 200)}`);
  const quote = (await response.json()) as Quote;
  const { pathname, search } = new URL(quote.invokeUrl);
  return { quote, path: pathname + search };
}

/** Signs with the official client. A shorter life than the challenge allows is the payer's to choose. */
export async function signCall(
  payer: PrivateKeyAccount,
  path: string,
  challenge: PaymentRequired,
  lifeSeconds?: number,
): Promise<PaidCall> {
  const offered =
    lifeSeconds === undefined
      ? challenge
      : {
          ...challenge,
          accepts: [
            { ...challenge.accepts[0], maxTimeoutSeconds: lifeSeconds },
          ] satisfies PaymentRequired["accepts"],
        };
  const signed = await signPayment(payer, offered);
  const payment = { ...signed, accepted: challenge.accepts[0] as PaymentPayload["accepted"] };
  return { path, payment, header: toHeader(payment), payer };
}

export async function prepareCall(
  url: string,
  payer: PrivateKeyAccount,
  path: string,
  lifeSeconds?: number,
): Promise<PaidCall> {
  return signCall(payer, path, await fetchChallenge(url + path), lifeSeconds);
}

/** Sends the payment once. A broken connection is something seen, not an error. */
export async function attempt(url: string, call: Pick<PaidCall, "path" | "header">): Promise<Sight> {
  try {
    const response = await fetch(url + call.path, { headers: { "payment-signature": call.header } });
    const body = Buffer.from(await response.arrayBuffer());
    const paymentResponse = response.headers.get("payment-response") ?? "";
    return {
      status: response.status,
      code: response.status === 200 ? "" : codeOf(body),
      digest:
        response.status === 200
          ? createHash("sha256").update(body).update(paymentResponse).digest("hex")
          : undefined,
      retryAfterMs: 1000 * Number(response.headers.get("retry-after") ?? 0),
      headers: response.headers,
      body,
    };
  } catch {
    return { status: 0, code: "no_answer", digest: undefined, retryAfterMs: 0 };
  }
}

function codeOf(body: Buffer): string {
  try {
    const { code, error } = JSON.parse(body.toString()) as { code?: string; error?: string };
    return code ?? error?.split(":")[0] ?? "no_code";
  } catch {
    return "not_json";
  }
}

export const isFinal = ({ status }: Sight) => status === 200 || status === 402;

/** The same payload again and again, until it is answered or refused, or time is up. */
export async function attemptUntilFinal(
  url: string,
  call: PaidCall,
  onSight: (sight: Sight) => void,
  timeoutMs: number,
  everyMs = 250,
): Promise<Sight> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const sight = await attempt(url, call);
    onSight(sight);
    if (isFinal(sight) || Date.now() + everyMs > endMs) return sight;
    await new Promise((resume) => setTimeout(resume, everyMs));
  }
}

export const keyOf = ({ payment }: Pick<PaidCall, "payment">) =>
  `${payment.payload.authorization.from}:${payment.payload.authorization.nonce}`.toLowerCase();
