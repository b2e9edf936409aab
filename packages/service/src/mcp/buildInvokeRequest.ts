import type { CapabilitySpec } from "@assay/protocol";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";

/** The request that an HTTP caller of the same capability would send. */
export function buildInvokeRequest(
  { id, method }: CapabilitySpec,
  input: Readonly<Record<string, unknown>>,
  posted: Request,
  payment: string | undefined,
): Request {
  const url = new URL(`/api/v1/capabilities/${id}/invoke`, posted.url);
  const { quote, ...fields } = input;
  const inQuery = method === "GET" ? { ...fields, quote } : { quote };
  for (const [name, value] of Object.entries(inQuery)) {
    // A query has no null; every field that may be null is null when it is left out.
    if (value !== undefined && value !== null) url.searchParams.append(name, toQueryText(name, value));
  }
  const headers = new Headers();
  if (payment !== undefined) headers.set("payment-signature", payment);
  if (method === "GET") return new Request(url, { headers });
  headers.set("content-type", "application/json");
  return new Request(url, { method, headers, body: JSON.stringify(fields) });
}

function toQueryText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new McpError(ErrorCode.InvalidParams, `${name} must be text or a number.`);
}
