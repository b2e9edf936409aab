import { listFieldErrors, problemSchema } from "@assay/protocol";
import { ProblemError, ServiceUnreachableError, UnexpectedResponseError } from "./errors.js";
import type { HttpRequest } from "./httpRequest.js";

export interface HttpAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body, byte for byte. */
  readonly bytes: Uint8Array;
}

export interface ExchangeOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Until the last byte of the answer. */
  readonly timeoutMs?: number | undefined;
}

/** A silent connection, or an answer that never ends, is abandoned after this. */
export const TIMEOUT_MS = 20_000;
/** Many times the longest answer of the service. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** One request and its whole answer. Throws ServiceUnreachableError when the connection fails. */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { method, url, body }: HttpRequest,
  { headers = {}, signal, timeoutMs = TIMEOUT_MS }: ExchangeOptions = {},
): Promise<HttpAnswer> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(Math.max(1, timeoutMs));
  const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const ask = async () => {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: stop,
      // A redirect would carry the payment header to a host that the caller did not choose.
      redirect: "manual",
    });
    return {
      url,
      status: response.status,
      headers: response.headers,
      bytes: await readBytes(response),
    };
  };
  try {
    // A fetch function of the caller's own may ignore signals.
    return await Promise.race([ask(), rejectOn(stop)]);
  } catch (error) {
    signal?.throwIfAborted();
    throw new ServiceUnreachableError(url, error);
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function readBytes({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size <= MAX_BODY_BYTES) continue;
    await reader?.cancel();
    throw new RangeError(`the answer is longer than ${MAX_BODY_BYTES} bytes`);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The one method of a protocol schema that is used here. */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: Parameters<typeof listFieldErrors>[0] };
}

/**
 * The body as JSON of the given shape. The value itself is returned, not a copy reduced to known
 * fields: hashes are taken over everything the service sent.
 */
export function readBody<T>(answer: HttpAnswer, schema: Schema<T>): T {
  const value = findJson(answer);
  if (value === undefined) throw unexpected(answer, "and the body is not JSON");
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [{ field, rule } = { field: "body", rule: "is none" }] = listFieldErrors(parsed.error, value);
    throw unexpected(answer, `and the body has another shape than agreed: ${field} ${rule}`);
  }
  return value as T;
}

/** The body of a success. */
export function readOk<T>(answer: HttpAnswer, schema: Schema<T>, statuses: readonly number[] = [200]): T {
  if (statuses.includes(answer.status)) return readBody(answer, schema);
  if (answer.status >= 400) throw toError(answer);
  const location = answer.headers.get("location");
  const elsewhere = location === null ? "" : ` (it points to ${location}, and redirects are not followed)`;
  throw unexpected(answer, `where ${statuses.join(" or ")} was expected${elsewhere}`);
}

export function unexpected({ url, status, bytes }: HttpAnswer, detail: string): UnexpectedResponseError {
  return new UnexpectedResponseError(url, status, bytes, detail);
}

function findJson({ bytes }: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Seconds the service asks to wait; Retry-After may also be a date. */
export function findRetryAfterSeconds({ headers }: HttpAnswer): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^[0-9]+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** The error for an answer that is not a success. */
export function toError(answer: HttpAnswer): ProblemError | UnexpectedResponseError {
  const parsed = problemSchema.safeParse(findJson(answer));
  if (!parsed.success) return unexpected(answer, "which is not a problem document");
  return new ProblemError(parsed.data, findRetryAfterSeconds(answer));
}
