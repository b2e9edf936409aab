export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Whether it is a call that shares a request with no other (`callPack.ts`). */
  readonly apart?: true;
}

export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The node returned nothing usable for a request. */
export interface NoResponse {
  readonly kind: "no_response";
  readonly reason: string;
  /** False only when the node certainly did not act on the request. */
  readonly delivered: boolean;
  /** Whether the same node may answer if it is asked again soon. */
  readonly retryable: boolean;
  /** How long the node asked not to be asked, where it did. */
  readonly throttleMs?: number;
}

/** An error that the node returned; `ofBatch` where it stands for a whole batch and names none of its requests. */
export interface ErrorAnswer {
  readonly kind: "error";
  readonly error: NodeError;
  readonly ofBatch?: true;
}

export type RpcAnswer = { readonly kind: "result"; readonly result: unknown } | ErrorAnswer | NoResponse;

/** A request that may have reached the node, and that it may still answer when asked again. */
export function noResponse(reason: string): NoResponse {
  return { kind: "no_response", reason, delivered: true, retryable: true };
}
