/** An error that a node answered with, in the node's own words. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(error: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}
