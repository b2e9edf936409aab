import { findCapability } from "@assay/capabilities";
import { type CapabilityResult, canonicalJson, microUsdFromNumber, type NextCall } from "@assay/protocol";

/** Without blanks and quotation marks, which the parser of URLs takes: no hash covers a host, and it must not hold sentences. */
const WEB_ADDRESS = /^https?:\/\/[^\s"'<>\p{C}]+$/iu;

/**
 * Compares the fields that no hash covers with those that hashes cover: the links lead to one service and to this answer,
 * the next call asks the same question, the price is list less credit. Returns the first contradiction as a sentence.
 */
export function findContradiction(
  result: CapabilityResult,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const { invocationId, receiptUrl, evidenceReference, capabilityId, nextCall, pricing } = result;
  const receiptPath = `/api/v1/receipts/${invocationId}`;
  const base = receiptUrl.slice(0, -receiptPath.length);
  if (!receiptUrl.endsWith(receiptPath) || !WEB_ADDRESS.test(base) || !URL.canParse(base))
    return "receiptUrl is not of this invocation.";
  if (evidenceReference.url !== `${base}/api/v1/evidence/${evidenceReference.artifactId}`)
    return "evidenceReference.url is not of this artifact at the service of receiptUrl.";
  if (!isPriceExact(pricing)) return "pricing: the price paid is not the list price less credit.";
  const capability = findCapability(capabilityId);
  // A capability that is newer than this client, which knows nothing else about it.
  if (!capability) return undefined;
  if (evidenceReference.shareable !== (capability.reuse === "shared"))
    return `evidenceReference.shareable is not that of a ${capability.reuse} capability.`;
  if (!nextCall) return undefined;
  const { recheck, watch } = nextCall;
  if (recheck.capabilityId !== capabilityId || !isCallAbout(input, base, recheck))
    return "nextCall.recheck does not ask what this call asked.";
  // For a transaction, the contract that it calls is watched.
  if (watch && !isCallAbout({ address: input.address ?? input.to }, base, watch))
    return "nextCall.watch is not about what this call asked.";
  return undefined;
}

function isPriceExact({
  listPriceUsd,
  creditAppliedUsd,
  pricePaidUsd,
}: CapabilityResult["pricing"]): boolean {
  try {
    const [list, credit, paid] = [listPriceUsd, creditAppliedUsd, pricePaidUsd].map(microUsdFromNumber);
    return list !== undefined && credit !== undefined && list - credit === paid;
  } catch {
    return false;
  }
}

type Call = Pick<NextCall["recheck"], "capabilityId" | "method" | "url" | "body">;

function isCallAbout(input: Readonly<Record<string, unknown>>, base: string, call: Call): boolean {
  const method = findCapability(call.capabilityId)?.method ?? call.method;
  const expected = new URL(`${base}/api/v1/capabilities/${call.capabilityId}/invoke`);
  if (method === "GET")
    for (const [name, value] of Object.entries(input))
      if (value !== null) expected.searchParams.set(name, String(value));
  const wallet = findCapability(call.capabilityId)?.asksForWallet
    ? new URL(call.url).searchParams.get("wallet")
    : null;
  if (wallet !== null) expected.searchParams.set("wallet", wallet);
  return (
    call.method === method &&
    call.url === expected.href &&
    canonicalJson(call.body) === canonicalJson(method === "POST" ? input : null)
  );
}
