import { z } from "zod";
import { type ErrorAnswer, type NoResponse, noResponse, type RpcAnswer } from "./rpcAnswer.js";

/** An HTTP response to one JSON-RPC request or batch. */
export interface HttpReply {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly text: string;
}

const DEFAULT_THROTTLE_MS = 1_000;
const MAX_THROTTLE_MS = 30_000;
/** A node that says "at once" has still refused to answer. */
const MIN_THROTTLE_MS = 100;
/** Statuses with which gateways refuse a batch, whatever they write beside it. */
const BATCH_REFUSALS: ReadonlySet<number> = new Set([400, 405, 413, 422, 501]);
/** A refusal in words is short; a page is not one. */
const MAX_WORDS = 300;

/** What an error says counts, even where its code is missing or written as text. */
const nodeErrorSchema = z.object({
  code: z.coerce.number().int().catch(-32000),
  message: z.string().catch(""),
  data: z.unknown().optional(),
});

/** One answer for each id, in the order of `ids`. Never throws. */
export function readReply(reply: HttpReply, ids: readonly number[]): RpcAnswer[] {
  const forEach = (answer: NoResponse | ErrorAnswer) => ids.map(() => answer);
  // 402: what was paid for is used up.
  if (reply.status === 429 || reply.status === 402) {
    const throttleMs = readRetryAfterMs(reply.retryAfter);
    return forEach({ ...noResponse("rate_limited"), delivered: false, throttleMs });
  }
  // These come from a gateway and not from the node, even where the body is JSON-RPC; but some refuse a batch like this.
  if (reply.status >= 500 && reply.status !== 501 && !(ids.length > 1 && isAboutBatch(reply.text)))
    return forEach(noResponse(`http_${reply.status}`));
  const body = parseJson(reply.text);
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  const byId = readItems(items);
  // A refused method or key; without an error in JSON-RPC nothing tells which.
  if ((reply.status === 401 || reply.status === 403) && ![...byId.values()].some(isError))
    return forEach(noResponse(`http_${reply.status}`));
  if (byId.size === 0) {
    const refusal = ids.length > 1 ? findBatchRefusal(reply, body) : undefined;
    if (refusal !== undefined) return forEach(refusal);
    if (body === undefined)
      return forEach(noResponse(reply.status === 200 ? "not_json" : `http_${reply.status}`));
  }
  // An error that names no request, or one object for many requests, applies to all of them: a refused batch, a bad API key.
  const isForAll = ids.length > 1 && !Array.isArray(body);
  const forAll = byId.get(null) ?? (isForAll ? [...byId.values()][0] : undefined);
  const missing: RpcAnswer =
    forAll?.kind === "error"
      ? { ...forAll, ...(ids.length > 1 && { ofBatch: true }) }
      : noResponse("no_answer");
  return ids.map((id) => (isForAll ? missing : (byId.get(id) ?? missing)));
}

const isError = ({ kind }: RpcAnswer) => kind === "error";

/** Digits beyond 9 in upper case, in what may be a hexadecimal string. */
const UPPER_CASE = /"0x[0-9a-f]*[A-F]|"0X/;
const HEX = /^0x[0-9a-f]*$/i;
const lower = (_name: string, value: unknown): unknown =>
  typeof value === "string" && HEX.test(value) ? value.toLowerCase() : value;

/** Hexadecimal strings are in lower case afterwards, because they are compared with others. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, UPPER_CASE.test(text) ? lower : undefined);
  } catch {
    return undefined;
  }
}

function readItems(items: readonly unknown[]): Map<unknown, RpcAnswer> {
  const byId = new Map<unknown, RpcAnswer>();
  for (const item of items) {
    if (typeof item !== "object" || item === null) continue;
    const id = readId(item);
    // With two answers under one id there is no way to know which one is right.
    byId.set(id, byId.has(id) ? noResponse("answered_twice") : readItem(item));
  }
  return byId;
}

/** Ours are numbers; some gateways return them as text. */
export function readId(item: object): unknown {
  const id = "id" in item ? item.id : null;
  return typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : id;
}

const isAboutBatch = (words: string) => words.length <= MAX_WORDS && /\bbatch/i.test(words);

/** Some gateways refuse a batch in words, as a JSON string, or by a status alone. */
function findBatchRefusal({ status, text }: HttpReply, body: unknown): ErrorAnswer | undefined {
  const words = (typeof body === "string" ? body : text).trim();
  const isSaid = isAboutBatch(words);
  if (!isSaid && !BATCH_REFUSALS.has(status)) return undefined;
  const message = isSaid ? words : `batch refused with status ${status}`;
  return { kind: "error", error: { code: -32600, message }, ofBatch: true };
}

function readItem(item: object): RpcAnswer {
  if ("error" in item && item.error != null) {
    // Some gateways write the error as text.
    const stated = typeof item.error === "string" ? { message: item.error } : item.error;
    const error = nodeErrorSchema.safeParse(stated);
    return error.success ? { kind: "error", error: error.data } : noResponse("malformed_answer");
  }
  if ("result" in item && item.result !== undefined) return { kind: "result", result: item.result };
  // Some gateways answer with the error itself.
  const bare = "message" in item ? nodeErrorSchema.safeParse(item).data : undefined;
  return bare === undefined || bare.message === "" ? noResponse("no_answer") : { kind: "error", error: bare };
}

/** RFC 9110, section 10.2.3: seconds, which some write with a fraction, or a date. */
function readRetryAfterMs(header: string | string[] | undefined): number {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return DEFAULT_THROTTLE_MS;
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, MIN_THROTTLE_MS), MAX_THROTTLE_MS) : DEFAULT_THROTTLE_MS;
}
