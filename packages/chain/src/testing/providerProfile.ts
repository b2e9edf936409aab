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
  | { readonly kind: "request" | "items"; readonly error: NodeError | string }
  /** Each call that is too many has the result null. */
  | { readonly kind: "nulls" };

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

/** What a node does over a WebSocket. */
export interface SocketManner {
  /** What becomes of a subscription to heads: nothing is ever sent, or an error with or without its id. */
  readonly heads?: "silent" | "refused" | "refused_without_id";
  /** Hangs up in place of every n-th answer. */
  readonly hangsUpEvery?: number;
  /** Each answer of a batch is a message of its own, the last question's first. */
  readonly answersOneByOne?: true;
  readonly binary?: true;
}

/** Parts of a state override (`eth_call`). */
export type OverridePart = "balance" | "code" | "stateDiff";

/** The status of a page in place of an answer. */
export const PAGES = {
  html_200: 200,
  html_302: 302,
  html_403: 403,
  html_404: 404,
  html_502: 502,
  html_504: 504,
};

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
  /** Requests may have so many bytes. */
  readonly body?: { readonly maxBytes: number; readonly refusal: BatchRefusal };
  /** Of each batch only so many calls are answered, the first ones. */
  readonly answersOf?: number;
  /** Methods that are not offered. `alone`: HTTP 403 and one error for the whole request. `every`: by one backend of so many. */
  readonly refused?: {
    readonly methods: readonly string[];
    readonly error: NodeError;
    readonly alone?: true;
    readonly every?: number;
  };
  /** The most blocks of one search for events. */
  readonly logSpan?: { readonly blocks: number; readonly error: NodeError };
  /** Proofs of so many blocks before the newest; 0 is the newest alone. */
  readonly proofBlocks?: number;
  /** State of so many blocks before the newest. */
  readonly stateBlocks?: { readonly blocks: number; readonly error: NodeError };
  /** Backends behind one address, each so many blocks behind. Requests go to them in turn. */
  readonly lags?: readonly number[];
  /** Such a backend answers null to whatever is asked at a block that it does not have. */
  readonly lagsWithNulls?: true;
  /** For so many milliseconds the same question has the same answer, for all methods. */
  readonly cachesMs?: number;
  /** Every n-th call to these methods is answered like this, within HTTP 200. */
  readonly faultyCalls?: {
    readonly every: number;
    readonly methods: readonly string[];
    readonly error: NodeError;
  };
  /** Every n-th HTTP request ends like this. */
  readonly faultyRequests?: {
    readonly every: number;
    /** `fewer`: whole, and without half of the answers of a batch. */
    readonly as: keyof typeof PAGES | "truncated" | "cut_chunks" | "reset" | "empty" | "fewer";
  };
  /** Its errors tell nothing: what fails three times in a row counts as a lack. */
  readonly isUnclear?: true;
  readonly compresses?: "gzip" | "br";
  readonly takesOverrides?: false;
  /** Overrides are taken, and these parts of them have no effect. */
  readonly ignoredOverrides?: readonly OverridePart[];
  readonly writes?: Handwriting;
  /** Proofs are of the block so many before the one that is asked for. */
  readonly lateProofs?: number;
  /** Receipts are there so many blocks after their transaction. */
  readonly lateReceipts?: number;
  /** Counts of transactions are of the block so many before. */
  readonly lateCounts?: number;
  /** Every n-th transaction is taken and never sent on, or sent on and answered with an error of the gateway. */
  readonly sends?: { readonly every: number; readonly as: "forgotten" | "sent_in_silence" };
  readonly webSocket?: SocketManner;
  /** Every search for events finds none. */
  readonly findsNoEvents?: true;
  /** No block is found by its hash. */
  readonly knowsNoHashes?: true;
  /** Refuses block hashes in place of numbers (EIP-1898). */
  readonly takesHashes?: false;
}

/** What a node of a profile lacks for good; all else is trouble that passes, for which nobody may be charged. */
const LACKS: readonly (keyof ProviderProfile)[] = [
  "isUnclear",
  "body",
  "refused",
  "logSpan",
  "proofBlocks",
  "stateBlocks",
  "takesOverrides",
  "ignoredOverrides",
  "lateProofs",
  "lateReceipts",
  "findsNoEvents",
  "knowsNoHashes",
];
export const isOnlyPassing = (profile: ProviderProfile): boolean =>
  LACKS.every((lack) => profile[lack] === undefined);
