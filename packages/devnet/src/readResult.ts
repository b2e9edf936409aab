import type { RpcError } from "./toRpcError.js";

/** Thrown in-process where a client over HTTP would get an error response. */
export class DevnetRpcError extends Error {
  override name = "DevnetRpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(method: string, error: RpcError) {
    super(`${method}: ${error.message}`);
    this.code = error.code;
    this.data = error.data;
  }
}

/** Takes the result out of a response text, or throws its error. */
export function readResult<Result>(method: string, text: string): Result {
  const response = JSON.parse(text) as { result: Result; error?: RpcError };
  if (response.error) throw new DevnetRpcError(method, response.error);
  return response.result;
}

export function isResult(text: string): boolean {
  return text.startsWith('{"result"');
}
