import { BatchSettlementEvmScheme, InMemoryClientChannelStorage } from "@x402/evm/batch-settlement/client";
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from "@x402/fetch";
import { signRecoverable } from "tiny-secp256k1";
import { createPublicClient, hashTypedData, hexToBytes, http, toHex } from "viem";
import { getPayerAccount, getPayerKey, network, priceMicroUsd } from "./benchAccounts.mjs";
import { payWith, timeoutMs } from "./createPayer.mjs";

/** Enough for every call of a section: a deposit in the middle of it would be a transaction. */
const callsPerDeposit = 50_000;

/** A payer that uses the official client of the scheme `batch-settlement`: a deposit with its first call, then vouchers. */
export function createVoucherPayer(index, rpcUrl) {
  const { address } = getPayerAccount(index);
  const reader = createPublicClient({ transport: http(rpcUrl) });
  const storage = new InMemoryClientChannelStorage();
  const scheme = new BatchSettlementEvmScheme(
    {
      address,
      signTypedData: async (message) => signFast(getPayerKey(index), hashTypedData(message)),
      readContract: (request) => reader.readContract(request),
    },
    { storage, depositStrategy: () => String(callsPerDeposit * priceMicroUsd) },
  );
  const client = new x402Client((_version, accepts) =>
    accepts.find(({ scheme }) => scheme === "batch-settlement"),
  ).register(network, scheme);
  const httpClient = new x402HTTPClient(client);
  return {
    /** The whole exchange: 402, signature, paid answer. */
    pay: (url) => payWith((timedFetch) => wrapFetchWithPayment(timedFetch, client), url),
    /**
     * A payment for one call, to be sent later, after those that were signed before it. The client counts what was charged when
     * an answer comes; here it counts when it signs, because each voucher adds to the one before.
     */
    async sign(url) {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      const required = httpClient.getPaymentRequiredResponse(
        (name) => response.headers.get(name),
        await response.json(),
      );
      const payment = await httpClient.createPaymentPayload(required);
      const { channelId, maxClaimableAmount } = payment.payload.voucher;
      const known = await storage.get(channelId);
      await storage.set(channelId, { ...known, chargedCumulativeAmount: maxClaimableAmount });
      return httpClient.encodePaymentSignatureHeader(payment);
    },
  };
}

/** libsecp256k1: with the client's own curve, signing would take longer than the calls that are measured. */
function signFast(key, digest) {
  const { signature, recoveryId } = signRecoverable(hexToBytes(digest), hexToBytes(key));
  return `${toHex(signature)}${recoveryId === 0 ? "1b" : "1c"}`;
}
