import type { ListedCapability } from "@assay/capabilities";
import { z } from "zod";
import { invalidParams } from "./invalidParams.js";

/** The request that an HTTP caller of the same capability would send. */
export function buildInvokeRequest(
  capability: ListedCapability,
  input: Readonly<Record<string, unknown>>,
  posted: Request,
  payment: string | undefined,
): Request {
  const { id, method } = capability;
  const url = new URL(`/api/v1/capabilities/${id}/invoke`, posted.url);
  const { quote, ...fields } = input;
  verifyArguments(capability, input);
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

/**
 * Refuses arguments that the tool's schema does not allow: unknown names, and types that would become text in a query. The
 * route checks whether a value of the right type obeys its rules.
 */
function verifyArguments(
  { input: schema, asksForWallet, method }: ListedCapability,
  input: Readonly<Record<string, unknown>>,
): void {
  const shape: Readonly<Record<string, z.ZodType>> = {
    ...schema.shape,
    ...(asksForWallet && { wallet: z.string() }),
    quote: z.string().optional(),
  };
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) throw invalidParams(`arguments.${name} is not a known field.`);
    const [issue] = field.safeParse(value).error?.issues ?? [];
    if (issue?.code === "invalid_type") throw invalidParams(`arguments.${name} must be a ${issue.expected}.`);
    // Right but for its missing quotes, which a query would hide.
    if (issue && typeof value === "number" && field.safeParse(String(value)).success)
      throw invalidParams(`arguments.${name} must be a string.`);
    if (method === "GET" && value !== null) toQueryText(name, value);
  }
}

function toQueryText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw invalidParams(`arguments.${name} must be a string or a number.`);
}
