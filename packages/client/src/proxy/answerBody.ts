import { ForwardError, type Gate } from "./createGate.js";
import type { Upstream, UpstreamAnswer } from "./forward.js";
import { type Journal, newJournalId } from "./journal.js";
import { listFields, listItems, readJsonText } from "./jsonText.js";
import type { Policy } from "./policy.js";
import { type RpcRequest, readRequest } from "./readRequest.js";
import { errorText, type RpcError, refusedMethod, rpcCodes, unreadable } from "./refusal.js";

export interface ProxyContext {
  readonly upstream: Upstream;
  readonly gate: Gate;
  readonly journal: Journal;
  readonly policy: () => Policy;
}

/** How requests that pass, or may pass, leave for the node. */
export interface Way<T> {
  /** Whether the client would get what the node sends by itself (`eth_subscription`). */
  readonly hasNotices: boolean;
  /** Aborted when the client has left. */
  readonly gone: AbortSignal;
  /** A body as it came, or one request as it was judged. */
  send(body: Uint8Array, isAnswered: boolean): Promise<T>;
}

/** What a client gets: what the node sent, or a text of the proxy's own; an empty text where nothing is to be said. */
export type BodyAnswer<T> = { readonly passed: T } | { readonly text: string };

const MAX_BATCH = 1_000;

/**
 * Reads a body, judges what signs or sends, and passes the rest. A body in which nothing is judged or refused goes to the node
 * byte for byte, and so does its answer.
 */
export async function answerBody<T>(
  context: ProxyContext,
  bytes: Uint8Array,
  origin: string | undefined,
  way: Way<T>,
): Promise<BodyAnswer<T>> {
  const json = readJsonText(bytes);
  if (!json) return { text: errorText("null", unreadable("it is not JSON in UTF-8.", rpcCodes.parseError)) };
  const isBatch = Array.isArray(json.value);
  const raws = isBatch ? listItems(json.text) : [json.text.trim()];
  if (raws.length === 0 || raws.length > MAX_BATCH)
    return { text: errorText("null", unreadable(`a batch holds 1 to ${MAX_BATCH} requests.`)) };
  const options = { methods: context.policy().methods, origin: readOrigin(origin) };
  const requests = (await Promise.all(raws.map((raw) => readRequest(raw, options)))).map((request) =>
    way.hasNotices ? request : refuseSubscription(request),
  );
  if (requests.every(({ kind }) => kind === "pass"))
    return {
      passed: await way.send(
        bytes,
        requests.some(({ id }) => id !== undefined),
      ),
    };
  const [first] = requests;
  if (!isBatch && first) return answerOne(context, first, origin, way);
  return { text: await answerBatch(context, requests, origin, way.gone) };
}

/** Its notices would be taken for the answers to other clients. Nodes say the same to HTTP. */
function refuseSubscription(request: RpcRequest): RpcRequest {
  if (request.kind !== "pass" || !/_subscribe$/i.test(request.method)) return request;
  const { id, method } = request;
  return { kind: "refuse", id, method, error: refusedMethod(method, "notices need a WebSocket") };
}

async function answerOne<T>(
  context: ProxyContext,
  request: RpcRequest,
  origin: string | undefined,
  way: Way<T>,
): Promise<BodyAnswer<T>> {
  if (request.kind === "judge") {
    const { intent, id } = request;
    const outcome = await context.gate(
      intent,
      origin,
      () => way.send(Buffer.from(intent.text), true),
      way.gone,
    );
    return "value" in outcome ? { passed: outcome.value } : { text: errorText(id, outcome.error) };
  }
  if (request.kind === "refuse") {
    const error = await noteRefusal(context.journal, request, origin);
    return { text: request.id === undefined ? "" : errorText(request.id, error) };
  }
  return { passed: await way.send(Buffer.from(request.raw), true) };
}

/** Members that pass travel together, each as it is written; each judged one by itself. The answers come in one list. */
async function answerBatch(
  context: ProxyContext,
  requests: readonly RpcRequest[],
  origin: string | undefined,
  gone: AbortSignal,
): Promise<string> {
  const passing = requests.flatMap((request) => (request.kind === "pass" ? [request] : []));
  const subscribing = passing.find(({ method }) => method === "eth_subscribe");
  if (subscribing)
    return errorText(
      "null",
      unreadable("a batch with something to judge holds no eth_subscribe; send it by itself."),
    );
  // Begun in this order, so that transactions of one sender keep theirs.
  const others = requests.map(async (request): Promise<string | undefined> => {
    if (request.kind === "pass") return undefined;
    const way = {
      hasNotices: false,
      gone,
      send: (body: Uint8Array) => context.upstream.ask(Buffer.from(body).toString("utf8")),
    };
    try {
      const answer = await answerOne(context, request, origin, way);
      return ("text" in answer ? answer.text : answer.passed.trim()) || undefined;
    } catch (error) {
      return errorText(request.id ?? "null", nodeFailed(error));
    }
  });
  const passed = askTogether(context.upstream, passing);
  const [own, fromNode] = await Promise.all([Promise.all(others), passed]);
  const answers = requests.flatMap((request, index) => {
    if (request.kind !== "pass") return own[index] ?? [];
    if (request.id === undefined) return [];
    const at = fromNode.findIndex(({ id }) => id === request.id);
    return at < 0 ? [] : fromNode.splice(at, 1).map(({ text }) => text);
  });
  const all = [...answers, ...fromNode.map(({ text }) => text)];
  return all.length === 0 ? "" : `[${all.join(",")}]`;
}

interface NodeAnswer {
  /** The JSON text of the id. */
  readonly id: string;
  readonly text: string;
}

async function askTogether(
  upstream: Upstream,
  passing: readonly { readonly id: string | undefined; readonly raw: string }[],
): Promise<NodeAnswer[]> {
  if (passing.length === 0) return [];
  const ids = passing.flatMap(({ id }) => id ?? []);
  try {
    const answer = readJsonText(
      Buffer.from(await upstream.ask(`[${passing.map(({ raw }) => raw).join(",")}]`)),
    );
    if (!answer) throw new Error("the node's answer is not JSON");
    if (Array.isArray(answer.value))
      return listItems(answer.text).map((text) => ({
        id: new Map(listFields(text)).get("id") ?? "null",
        text,
      }));
    // One error for the whole batch: each member gets it.
    const error = new Map(listFields(answer.text.trim())).get("error");
    if (error === undefined) throw new Error("the node's answer is no list");
    return ids.map((id) => ({ id, text: `{"jsonrpc":"2.0","id":${id},"error":${error}}` }));
  } catch (error) {
    return ids.map((id) => ({ id, text: errorText(id, nodeFailed(error)) }));
  }
}

/** JSON-RPC's code for an internal error; libraries may send such a request again. */
export const nodeFailed = (error: unknown): RpcError => {
  const cause =
    error instanceof ForwardError ? error.message : error instanceof Error ? error.message : String(error);
  return {
    code: -32603,
    message: `The node behind assay proxy failed: ${cause}.`,
    data: { refusal: "node_failed" },
  };
};

async function noteRefusal(
  journal: Journal,
  { method, error }: RpcRequest & { readonly kind: "refuse" },
  origin: string | undefined,
): Promise<RpcError> {
  const id = newJournalId();
  await journal.append({
    id,
    time: new Date().toISOString(),
    event: "refused",
    method: (method ?? "").slice(0, 80),
    origin,
    refusal: error.data.refusal,
    summary: error.data.summary,
  });
  return { ...error, data: { ...error.data, journalId: id } };
}

/** In the form in which guards take it; undefined where it says nothing. */
const readOrigin = (origin: string | undefined) =>
  origin !== undefined && origin.length <= 300 && /^https?:\/\/[^\s/?#@]+$/.test(origin) ? origin : undefined;

export type HttpWay = Way<UpstreamAnswer>;
