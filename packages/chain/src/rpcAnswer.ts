export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Nothing usable came back for a request. */
export interface Silence {
  readonly kind: "silence";
  readonly reason: string;
  /** False only when the node certainly did not act on the request. */
  readonly delivered: boolean;
  /** Whether asking the same node again soon may help. */
  readonly again: boolean;
  /** Set when the node asked to be left alone. */
  readonly throttleMs?: number;
}

export type RpcAnswer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: NodeError }
  | Silence;
