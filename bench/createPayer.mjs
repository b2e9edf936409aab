import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from "@x402/fetch";
import { getPayerAccount, network } from "./benchAccounts.mjs";

export const timeoutMs = 30_000;

/** A payer that uses the official client, the same for every subject. */
export function createPayer(index) {
  const client = new x402Client().register(network, new ExactEvmScheme(getPayerAccount(index)));
  const httpClient = new x402HTTPClient(client);
  return {
    /** The whole exchange: 402, signature, paid answer. */
    pay: (url) => payWith((timedFetch) => wrapFetchWithPayment(timedFetch, client), url),
    /** A payment for one call, to be sent later. */
    async sign(url) {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      const text = await response.text();
      const required = httpClient.getPaymentRequiredResponse(
        (name) => response.headers.get(name),
        text ? JSON.parse(text) : undefined,
      );
      return httpClient.encodePaymentSignatureHeader(await httpClient.createPaymentPayload(required));
    },
  };
}

/** One exchange through a client's fetch, with the time of each of its requests. */
export async function payWith(wrapFetch, url) {
  const legs = [];
  const timedFetch = async (...args) => {
    const startedAt = performance.now();
    const response = await fetch(...args);
    legs.push(performance.now() - startedAt);
    return response;
  };
  const startedAt = performance.now();
  const response = await wrapFetch(timedFetch)(url, { signal: AbortSignal.timeout(timeoutMs) });
  const outcome = readOutcome(response, await response.text());
  return { ...outcome, ms: performance.now() - startedAt, challengeMs: legs[0], paidMs: legs[1] };
}

/** Sends a payment that was signed before. */
export async function sendSigned(url, headers) {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    return { ...readOutcome(response, await response.text()), ms: performance.now() - startedAt };
  } catch (error) {
    return { isPaid: false, reason: error.cause?.code ?? error.name };
  }
}

/** A call is paid when its answer arrived and the settlement in it succeeded. */
function readOutcome(response, text) {
  const settlement = decodeHeader(response.headers.get("payment-response"));
  if (response.status === 200 && settlement?.success === true)
    return { isPaid: true, cacheStatus: JSON.parse(text).pricing?.actualCacheStatus };
  const challenge = decodeHeader(response.headers.get("payment-required"));
  const why = settlement?.errorReason ?? challenge?.error ?? text.slice(0, 120);
  const detail = String(settlement?.errorMessage ?? "").replaceAll(/\s+/g, " ");
  return { isPaid: false, reason: `${response.status} ${why} ${detail}`.trim().slice(0, 120) };
}

function decodeHeader(header) {
  try {
    return header ? JSON.parse(Buffer.from(header, "base64").toString("utf8")) : undefined;
  } catch {
    return undefined;
  }
}
