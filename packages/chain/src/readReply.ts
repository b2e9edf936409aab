import { z } from "zod";
import { type NoResponse, noResponse, type RpcAnswer } from "./rpcAnswer.js";

/** An HTTP response to one JSON-RPC request or batch. */
export interface HttpReply {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  readonly text: string;
}

const DEFAULT_THROTTLE_MS = 1_000;
const MAX_THROTTLE_MS = 30_000;

const nodeErrorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });

/** One answer for each id, in the order of `ids`. Never throws. */
export function readReply(reply: HttpReply, ids: readonly number[]): RpcAnswer[] {
  const forEach = (answer: NoResponse) => ids.map(() => answer);
  if (reply.status === 429) {
    const throttleMs = readRetryAfterMs(reply.retryAfter);
    return forEach({ ...noResponse("rate_limited"), delivered: false, throttleMs });
  }
  // These come from a gateway and not from the node, even where the body is JSON-RPC.
  if (reply.status >= 500 || reply.status === 401 || reply.status === 403) {
    return forEach(noResponse(`http_${reply.status}`));
  }
  let body: unknown;
  try {
    body = JSON.parse(reply.text);
  } catch {
    return forEach(noResponse(reply.status === 200 ? "not_json" : `http_${reply.status}`));
  }
  const byId = new Map<unknown, RpcAnswer>();
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  for (const item of items) {
    if (typeof item !== "object" || item === null) continue;
    const id = "id" in item ? item.id : null;
    // With two answers under one id there is no way to know which one is right.
    byId.set(id, byId.has(id) ? noResponse("answered_twice") : readItem(item));
  }
  // An error without an id applies to the whole request: a refused batch, a bad API key.
  const forAll = byId.get(null);
  const missing = forAll?.kind === "error" ? forAll : noResponse("no_answer");
  return ids.map((id) => byId.get(id) ?? missing);
}

function readItem(item: object): RpcAnswer {
  if ("error" in item && item.error != null) {
    const error = nodeErrorSchema.safeParse(item.error);
    return error.success ? { kind: "error", error: error.data } : noResponse("malformed_answer");
  }
  return "result" in item && item.result !== undefined
    ? { kind: "result", result: item.result }
    : noResponse("no_answer");
}

/** RFC 9110, section 10.2.3: seconds or a date. */
function readRetryAfterMs(header: string | string[] | undefined): number {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return DEFAULT_THROTTLE_MS;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_THROTTLE_MS) : DEFAULT_THROTTLE_MS;
}
