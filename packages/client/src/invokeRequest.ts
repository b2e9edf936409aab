import { type CapabilityId, getCapability } from "@assay/capabilities";
import type { Hex, Quote } from "@assay/protocol";
import { UnacceptableChallengeError } from "./errors.js";
import type { HttpRequest } from "./httpRequest.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";

/** The request that calls a capability with this input. */
export function buildInvokeRequest(
  baseUrl: string,
  id: CapabilityId,
  input: object,
  /** The wallet that will pay, where it is known. */
  wallet: Hex | undefined,
  quoteId?: string,
): HttpRequest {
  const { method, asksForWallet } = getCapability(id);
  const query = new URLSearchParams({
    ...(method === "GET" && toQuery(input)),
    ...(asksForWallet && wallet && { wallet }),
    ...(quoteId !== undefined && { quote: quoteId }),
  }).toString();
  const url = `${baseUrl}/api/v1/capabilities/${id}/invoke${query && `?${query}`}`;
  return { method, url, body: method === "POST" ? { ...input } : null };
}

/** Parameters are text: what is more than one value is written as JSON. */
export function toQuery(input: object): Record<string, string> {
  if (typeof input !== "object" || input === null)
    throw new InvalidArgumentError("The input must be an object; {} for a capability without input.");
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
}

/** The capability's input in a request, without the parameters that only say who pays and how. */
export function readQuestion({ url, body }: Pick<HttpRequest, "url" | "body">): object {
  const { quote: _quote, wallet: _wallet, ...input } = Object.fromEntries(new URL(url).searchParams);
  return body ?? input;
}

/** The input that a quote is for. Throws when its URL is of another capability than the quote names. */
export function readQuotedQuestion({ capabilityId, invokeUrl, invokeBody }: Quote): object {
  if (
    !URL.canParse(invokeUrl) ||
    !new URL(invokeUrl).pathname.endsWith(`/capabilities/${capabilityId}/invoke`)
  )
    throw new UnacceptableChallengeError(`The quote names no route of ${capabilityId}: ${invokeUrl}.`);
  return readQuestion({ url: invokeUrl, body: invokeBody });
}
