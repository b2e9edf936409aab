import { type CapabilityId, getCapability } from "@assay/capabilities";
import type { Hex, Quote } from "@assay/protocol";
import { UnacceptableChallengeError } from "./errors.js";
import type { HttpRequest } from "./httpRequest.js";

/** How a capability is called with this input. */
export function buildInvokeRequest(
  baseUrl: string,
  id: CapabilityId,
  input: object,
  /** Who will pay, where that is known. */
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

export function toQuery(input: object): Record<string, string> {
  if (typeof input !== "object" || input === null)
    throw new TypeError("The input must be an object; {} where a capability takes nothing.");
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** What a request asks of the capability, without what only says who pays and how. */
export function readQuestion({ url, body }: Pick<HttpRequest, "url" | "body">): object {
  const { quote: _quote, wallet: _wallet, ...input } = Object.fromEntries(new URL(url).searchParams);
  return body ?? input;
}

/** What a quote is for. Throws when it is for another capability than it says. */
export function readQuotedQuestion({ capabilityId, invokeUrl, invokeBody }: Quote): object {
  if (
    !URL.canParse(invokeUrl) ||
    !new URL(invokeUrl).pathname.endsWith(`/capabilities/${capabilityId}/invoke`)
  )
    throw new UnacceptableChallengeError(`The quote names no route of ${capabilityId}: ${invokeUrl}.`);
  return readQuestion({ url: invokeUrl, body: invokeBody });
}
