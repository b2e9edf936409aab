import type { NodeError } from "../rpcAnswer.js";

/** How a provider says that it is asked too often. */
export type ThrottleSpelling =
  /** The whole HTTP request is refused. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** HTTP 200 and an error: one for the whole request, or one for each call that is too many. */
  | { readonly kind: "request" | "items"; readonly error: NodeError | string };

/** How a provider says that it takes no such batch. */
export type BatchRefusal =
  /** A body that is not JSON-RPC, with its status. */
  | { readonly kind: "body"; readonly status: number; readonly body: string }
  /** One error object, with an HTTP status and with or without the id of the first call. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly error: NodeError;
      readonly namesFirst?: true;
    };

/** How a provider writes answers that say what another's say. */
export type Handwriting =
  /** The ids of the questions, as text. */
  | "string_ids"
  /** A batch's answers, the last question's first. */
  | "reversed"
  | "upper_case"
  /** An error has a message alone. */
  | "errors_without_code"
  /** Compressed, and no header says so. */
  | "unsaid_gzip";

/** Parts of a state override (`eth_call`). */
export type OverridePart = "balance" | "code" | "stateDiff";

/** What one kind of node or provider does to the questions of its callers. All of it is deterministic. */
export interface ProviderProfile {
  readonly name: string;
  /** Milliseconds that a request and its answer each travel. */
  readonly distanceMs?: number;
  /** Calls per second, counted in a window that begins with the first call after the last one ended. */
  readonly limit?: {
    readonly perSecond: number;
    readonly weights?: Record<string, number>;
    readonly spelling: ThrottleSpelling;
  };
  readonly batch?: { readonly max: number; readonly refusal: BatchRefusal };
  /** Methods that are not offered. `alone`: HTTP 403 and one error for the whole request. */
  readonly refused?: {
    readonly methods: readonly string[];
    readonly error: NodeError;
    readonly alone?: true;
  };
  /** The most blocks of one search for events. */
  readonly logSpan?: { readonly blocks: number; readonly error: NodeError };
  /** Proofs of so many blocks before the newest; 0 is the newest alone. */
  readonly proofBlocks?: number;
  /** State of so many blocks before the newest. */
  readonly stateBlocks?: { readonly blocks: number; readonly error: NodeError };
  /** Backends behind one address, each so many blocks behind. Requests go to them in turn. */
  readonly lags?: readonly number[];
  /** Every n-th call to these methods is answered like this, within HTTP 200. */
  readonly faultyCalls?: {
    readonly every: number;
    readonly methods: readonly string[];
    readonly error: NodeError;
  };
  /** Every n-th HTTP request ends like this. */
  readonly faultyRequests?: {
    readonly every: number;
    readonly as: "html_502" | "html_504" | "html_200" | "truncated" | "cut_chunks" | "reset";
  };
  readonly compresses?: "gzip" | "br";
  readonly takesOverrides?: false;
  /** Overrides are taken, and these parts of them have no effect. */
  readonly ignoredOverrides?: readonly OverridePart[];
  readonly writes?: Handwriting;
  /** Proofs are of the block so many before the one that is asked for. */
  readonly lateProofs?: number;
  /** Receipts are there so many blocks after their transaction. */
  readonly lateReceipts?: number;
  /** Every search for events finds none. */
  readonly findsNoEvents?: true;
  /** No block is found by its hash. */
  readonly knowsNoHashes?: true;
  /** Refuses block hashes in place of numbers (EIP-1898). */
  readonly takesHashes?: false;
}

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
];

export function getProfile(name: string): ProviderProfile {
  const profile = providerProfiles.find((one) => one.name === name);
  if (profile === undefined) throw new Error(`there is no profile "${name}"`);
  return profile;
}
