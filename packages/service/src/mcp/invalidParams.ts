import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";

/** Thrown in a handler, the SDK answers -32602 with these very words; its own error class would put the code before them. */
export function invalidParams(rule: string): Error {
  return Object.assign(new Error(rule), { code: ErrorCode.InvalidParams });
}
