import type { NodeError } from "../rpcAnswer.js";
import type { ProviderProfile, ThrottleSpelling } from "./providerProfile.js";

const TRACES = ["debug_traceCall", "debug_traceTransaction", "trace_call"];
const unsupported = (message: string, code = -32601): NodeError => ({ code, message });
const limited = (spelling: ThrottleSpelling): NonNullable<ProviderProfile["limit"]> => ({
  perSecond: 30,
  spelling,
});
const throttled = (error: NodeError | string, kind: "request" | "items" = "request") =>
  limited({ kind, error });

/** The profiles, in the order of the table in docs/node-faults.md. */
export const providerProfiles: readonly ProviderProfile[] = [
  { name: "full node" },
  { name: "slow node, 300 ms away", distanceMs: 150 },
  { name: "compressed answers, gzip", compresses: "gzip" },
  { name: "compressed answers, br", compresses: "br" },
  { name: "block numbers only", takesHashes: false },

  {
    name: "no batches: one error object",
    batch: {
      max: 1,
      refusal: { kind: "error", status: 200, error: unsupported("batch requests are not supported", -32600) },
    },
  },
  {
    name: "no batches: plain text",
    batch: { max: 1, refusal: { kind: "body", status: 200, body: "Batch requests are not supported" } },
  },
  {
    name: "no batches: a JSON string",
    batch: { max: 1, refusal: { kind: "body", status: 400, body: '"batch requests are disabled"' } },
  },
  {
    name: "no batches: status 400",
    batch: { max: 1, refusal: { kind: "body", status: 400, body: "Bad Request" } },
  },
  {
    name: "batches of three: HTTP 500",
    batch: {
      max: 3,
      refusal: {
        kind: "error",
        status: 500,
        error: unsupported("Batch of more than 3 requests are not allowed", -32600),
      },
    },
  },
  {
    name: "batches of ten",
    batch: {
      max: 10,
      refusal: {
        kind: "error",
        status: 200,
        error: { code: -32014, message: "maximum 10 calls in 1 batch" },
        namesFirst: true,
      },
    },
  },
  {
    name: "batches of four: status 413",
    batch: { max: 4, refusal: { kind: "body", status: 413, body: "" } },
  },

  { name: "tip-only proofs", proofBlocks: 0 },
  { name: "tip-only proofs, 120 ms away", distanceMs: 60, proofBlocks: 0 },
  { name: "proofs of 128 blocks", proofBlocks: 128 },
  {
    name: "no proofs, no traces",
    refused: {
      methods: ["eth_getProof", ...TRACES, "eth_simulateV1"],
      error: unsupported("the method does not exist/is not available"),
    },
  },
  {
    name: "free tier: events of 10 blocks, no traces",
    refused: {
      methods: [...TRACES, "eth_simulateV1"],
      error: unsupported(
        "debug_traceCall is not available on the Free tier - upgrade to Pay As You Go",
        -32600,
      ),
    },
    logSpan: {
      blocks: 10,
      error: {
        code: -32600,
        message: "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range.",
      },
    },
  },
  {
    name: "refused methods: HTTP 403 for the whole request",
    refused: {
      methods: ["eth_getProof", ...TRACES],
      error: unsupported("rpc method is not whitelisted"),
      alone: true,
    },
  },
  {
    name: "events of 500 blocks",
    logSpan: { blocks: 500, error: { code: -32000, message: "exceed maximum block range: 500" } },
  },
  {
    name: "events of 2,000 blocks",
    logSpan: { blocks: 2_000, error: { code: -32602, message: "range exceeds limit of 2000" } },
  },
  { name: "no state overrides", takesOverrides: false },
  {
    name: "state of 128 blocks",
    stateBlocks: {
      blocks: 128,
      error: { code: -32000, message: "missing trie node 5a5a (path ) state is not available" },
    },
  },
  {
    name: "state of 64 blocks",
    stateBlocks: { blocks: 64, error: { code: -32000, message: "historical state is not available" } },
  },

  { name: "throttled: 429", limit: limited({ kind: "status", status: 429 }) },
  {
    name: "throttled: 429 with Retry-After",
    limit: limited({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
  },
  {
    name: "throttled: compute units",
    limit: throttled({ code: 429, message: "Your app has exceeded its compute units per second capacity." }),
  },
  {
    name: "throttled: credits",
    limit: {
      perSecond: 60,
      weights: { eth_call: 2, eth_getProof: 5, debug_traceCall: 10 },
      spelling: { kind: "items", error: { code: -32005, message: "credits limited" } },
    },
  },
  { name: "throttled: -32029", limit: throttled({ code: -32029, message: "limit" }, "items") },
  { name: "throttled: -32016", limit: throttled({ code: -32016, message: "over rate limit" }) },
  {
    name: "throttled: daily count",
    limit: throttled({ code: -32005, message: "daily request count exceeded, request rate limited" }),
  },
  { name: "throttled: in words", limit: throttled("Too many request", "items") },

  { name: "lagging backends", lags: [0, 1, 3] },
  {
    name: "gateway timeouts within HTTP 200",
    faultyCalls: {
      every: 3,
      methods: ["eth_call", "eth_estimateGas"],
      error: { code: -32015, message: "gateway timeout" },
    },
  },
  {
    name: "unavailable backends within HTTP 200",
    faultyCalls: {
      every: 5,
      methods: ["eth_call", "eth_getCode", "eth_getProof"],
      error: { code: -32000, message: "upstream unavailable" },
    },
  },
  { name: "pages of errors: 502", faultyRequests: { every: 3, as: "html_502" } },
  { name: "pages of errors: 504", faultyRequests: { every: 4, as: "html_504" } },
  { name: "pages with status 200", faultyRequests: { every: 3, as: "html_200" } },
  { name: "truncated answers", faultyRequests: { every: 3, as: "truncated" } },
  { name: "connections that break", faultyRequests: { every: 4, as: "reset" } },
  { name: "answers cut between chunks", faultyRequests: { every: 3, as: "cut_chunks" } },

  { name: "ids as text", writes: "string_ids" },
  { name: "batches in reverse order", writes: "reversed" },
  { name: "hexadecimal digits in upper case", writes: "upper_case" },
  { name: "errors without a code", writes: "errors_without_code" },
  { name: "compressed answers that do not say so", writes: "unsaid_gzip" },
  {
    name: "throttled: a message without a code",
    limit: throttled({ message: "rate limit exceeded" } as NodeError, "items"),
  },
  { name: "overrides without balances", ignoredOverrides: ["balance"] },
  { name: "overrides without storage", ignoredOverrides: ["stateDiff"] },
  { name: "overrides without code", ignoredOverrides: ["code"] },
  { name: "overrides without effect", ignoredOverrides: ["balance", "code", "stateDiff"] },
  { name: "proofs of the block before", lateProofs: 1 },
  { name: "receipts ten blocks late", lateReceipts: 10 },
  { name: "no receipts", lateReceipts: 1e9 },
  { name: "searches that find nothing", findsNoEvents: true },
  { name: "no blocks by their hash", knowsNoHashes: true },
  { name: "one backend far behind", lags: [0, 0, 60] },

  {
    name: "throttled: no backend is healthy",
    limit: throttled({ code: -32011, message: "no backend is currently healthy to serve traffic" }, "items"),
  },
  {
    name: "throttled: words that nobody knows",
    limit: throttled({ code: -32000, message: "Server error" }, "items"),
  },
  {
    name: "throttled: an internal error, with its reason in the data",
    limit: throttled(
      { code: -32603, message: "Internal error", data: { code: -32005, message: "rate limit exceeded" } },
      "items",
    ),
  },
  {
    name: "throttled: an object without an error",
    limit: limited({ kind: "status", status: 200, body: '{"code":429,"message":"Too many requests"}' }),
  },
  { name: "throttled: status 403", limit: limited({ kind: "status", status: 403, body: "Forbidden" }) },
  {
    name: "throttled: 429 with Retry-After of half a second",
    limit: limited({ kind: "status", status: 429, headers: { "retry-after": "0.5" } }),
  },
  { name: "throttled: null results", limit: limited({ kind: "nulls" }) },
  {
    name: "internal errors",
    isUnclear: true,
    faultyCalls: {
      every: 4,
      methods: ["eth_call", "eth_getCode", "eth_getProof", "eth_getBalance", "eth_estimateGas"],
      error: { code: -32603, message: "Internal error" },
    },
  },
  {
    name: "no batches: the code of a limit",
    batch: {
      max: 1,
      refusal: {
        kind: "error",
        status: 200,
        error: { code: -32005, message: "Batched requests are not supported by this server" },
      },
    },
  },
  {
    name: "requests of 2 kB: the code of a limit",
    body: {
      maxBytes: 2_000,
      refusal: { kind: "error", status: 413, error: { code: -32007, message: "Request is too big" } },
    },
  },
  { name: "batches answered in part", answersOf: 4 },
  { name: "batches answered in part, now and then", faultyRequests: { every: 3, as: "fewer" } },
  { name: "empty answers", faultyRequests: { every: 3, as: "empty" } },
  { name: "pages with status 302", faultyRequests: { every: 3, as: "html_302" } },
  { name: "pages with status 403", faultyRequests: { every: 3, as: "html_403" } },
  { name: "pages with status 404", faultyRequests: { every: 3, as: "html_404" } },
  { name: "lagging backends that answer null", lags: [0, 1, 3], lagsWithNulls: true },
  { name: "answers from a cache", cachesMs: 1_500 },
  {
    name: "one of two backends without proofs and traces",
    refused: {
      methods: ["eth_getProof", ...TRACES],
      error: unsupported("the method does not exist/is not available"),
      every: 2,
    },
  },
  { name: "counts of transactions ten blocks late", lateCounts: 10 },
  { name: "forgets every second transaction", sends: { every: 2, as: "forgotten" } },
  { name: "sends transactions on and says nothing", sends: { every: 2, as: "sent_in_silence" } },
  {
    name: "public endpoint: everything at once",
    distanceMs: 40,
    batch: {
      max: 10,
      refusal: {
        kind: "error",
        status: 413,
        error: { code: -32014, message: "too many RPC calls in batch request" },
      },
    },
    limit: {
      perSecond: 100,
      spelling: { kind: "items", error: { code: -32016, message: "over rate limit" } },
    },
    lags: [0, 1, 2],
    proofBlocks: 0,
    refused: { methods: TRACES, error: unsupported("rpc method is not whitelisted") },
    logSpan: { blocks: 500, error: { code: -32602, message: "range exceeds limit of 500" } },
  },

  { name: "WebSocket", webSocket: {} },
  { name: "WebSocket that hangs up", webSocket: { hangsUpEvery: 6 } },
  { name: "WebSocket that sends no heads", webSocket: { heads: "silent" } },
  { name: "WebSocket without subscriptions", webSocket: { heads: "refused" } },
  { name: "WebSocket without subscriptions, errors without ids", webSocket: { heads: "refused_without_id" } },
  { name: "WebSocket that answers one by one", webSocket: { answersOneByOne: true } },
  { name: "WebSocket with binary messages", webSocket: { binary: true } },
  {
    name: "WebSocket, throttled, lagging, tip-only proofs",
    webSocket: { hangsUpEvery: 40 },
    limit: throttled({ code: -32016, message: "over rate limit" }, "items"),
    lags: [0, 1],
    proofBlocks: 0,
  },
];

export function getProfile(name: string): ProviderProfile {
  const profile = providerProfiles.find((one) => one.name === name);
  if (profile === undefined) throw new Error(`there is no profile "${name}"`);
  return profile;
}
