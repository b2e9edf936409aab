import type { Verdict } from "@assay/protocol";

/**
 * Why a request was not forwarded:
 * - `verdict`, `policy`: it was judged, and the policy forbids it
 * - `not_approved`: the policy asks a person, who refused it or did not decide in time
 * - `limit`: a limit of the day is reached
 * - `not_judged`: the service gave no answer that can be trusted
 * - `method`: the method is never forwarded
 * - `node_failed`: the node behind the proxy did not answer; what was judged may have reached it
 * - `unreadable`: what a node would read in it is not certain
 * - `client_gone`: nobody waits for the answer any more; it stands in the journal alone
 */
export type RefusalKind =
  | "verdict"
  | "policy"
  | "not_approved"
  | "limit"
  | "not_judged"
  | "method"
  | "unreadable"
  | "client_gone"
  | "node_failed";

export interface RefusalData {
  readonly refusal: RefusalKind;
  readonly verdict?: Verdict | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly summary?: string | undefined;
  /** The rule of the policy that decided. */
  readonly rule?: string | undefined;
  readonly receiptUrl?: string | undefined;
  readonly journalId?: string | undefined;
}

/** An error object of JSON-RPC 2.0. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: RefusalData;
}

/** Codes of JSON-RPC 2.0, EIP-1474 and EIP-1193. Libraries do not send a request again at any of these. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  /** EIP-1193: the user rejected the request. */
  rejected: 4001,
  /** EIP-1193: the provider does not support the method. */
  unsupportedMethod: 4200,
} as const;

export const unreadable = (message: string, code: number = rpcCodes.invalidRequest): RpcError => ({
  code,
  message: `Assay did not forward this request: ${message}`,
  data: { refusal: "unreadable", summary: message },
});

export const refusedMethod = (method: string, why: string): RpcError => ({
  code: rpcCodes.unsupportedMethod,
  message: `Assay does not forward ${method.slice(0, 80)}: ${why}.`,
  data: { refusal: "method", summary: why },
});

/** An answer with an error. `id` is the JSON text of the request's id, as it was written. */
export const errorText = (id: string, error: RpcError): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
