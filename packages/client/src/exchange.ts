import { problemSchema } from "@assay/protocol";
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
}

/** One request and its whole answer; what breaks on the way is a ServiceUnreachableError. */
export async function exchange(
  fetch: typeof globalThis.fetch,
  { method, url, body }: HttpRequest,
  { headers = {}, signal }: ExchangeOptions = {},
): Promise<HttpAnswer> {
  signal?.throwIfAborted();
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      // A redirect would carry the payment header to a host nobody chose.
      redirect: "manual",
    });
    return {
      url,
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw new ServiceUnreachableError(url, error);
  }
}

/** A schema of the protocol, seen as the one thing it is used for here. */
interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { message: string } };
}

/**
 * The body as JSON of the given shape. The value itself is returned, not a copy reduced to known
 * fields: hashes are taken over everything the service sent.
 */
export function readBody<T>(answer: HttpAnswer, schema: Schema<T>): T {
  const value = findJson(answer);
  if (value === undefined) throw unexpected(answer, "and the body is not JSON");
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw unexpected(answer, `and the body has another shape than agreed: ${parsed.error.message}`);
  return value as T;
}

/** The body of a success. */
export function readOk<T>(answer: HttpAnswer, schema: Schema<T>, statuses: readonly number[] = [200]): T {
  if (statuses.includes(answer.status)) return readBody(answer, schema);
  throw answer.status < 400 ? unexpected(answer, `where ${statuses.join(" or ")} was due`) : toError(answer);
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

/** The error an answer other than success stands for. */
export function toError(answer: HttpAnswer): ProblemError | UnexpectedResponseError {
  const parsed = problemSchema.safeParse(findJson(answer));
  if (!parsed.success) return unexpected(answer, "which is no problem document");
  return new ProblemError(parsed.data, findRetryAfterSeconds(answer));
}
