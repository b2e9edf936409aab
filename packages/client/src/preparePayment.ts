import { type Hex, usdFromMicro } from "@assay/protocol";
import type { Connection, RequestOptions } from "./connect.js";
import type { Budget } from "./createBudget.js";
import type { VerifyPayee } from "./createPayeeVerifier.js";
import { NoAccountError, SpendLimitError, UnacceptableChallengeError } from "./errors.js";
import { exchange } from "./exchange.js";
import type { HttpRequest } from "./httpRequest.js";
import type { AnyPreparedPayment, PreparedPayment } from "./preparedPayment.js";
import { readChallenge } from "./readChallenge.js";
import { readLimit } from "./readLimit.js";
import { signPayment } from "./signPayment.js";

/** The default limit of the official x402 clients. */
export const DEFAULT_MAX_PRICE_USD = 1;

export interface SpendRules {
  /** No payment above this is signed. */
  readonly maxPriceUsd: number;
  readonly assets: readonly Hex[];
  readonly budget: Budget;
  readonly verifyPayee: VerifyPayee;
}

export interface Purchase<Id> {
  readonly id: Id;
  readonly request: HttpRequest;
  /** The price that the challenge must ask; by default any price within the limit. */
  readonly agreedMicroUsd?: bigint | undefined;
}

/** Requests the challenge and signs the payment it asks for, within the caller's limits. Sends no payment. */
export async function preparePayment<Id extends AnyPreparedPayment["capabilityId"]>(
  { account, fetch }: Connection,
  { id, request, agreedMicroUsd }: Purchase<Id>,
  { maxPriceUsd, assets, budget, verifyPayee }: SpendRules,
  { signal }: RequestOptions,
): Promise<PreparedPayment<Id>> {
  if (!account) throw new NoAccountError("Paying");
  const maxMicroUsd = readLimit("maxPriceUsd", maxPriceUsd);
  const verifyWithinLimit = (priceMicroUsd: bigint) => {
    if (priceMicroUsd > maxMicroUsd)
      throw new SpendLimitError(id, usdFromMicro(priceMicroUsd), usdFromMicro(maxMicroUsd));
  };
  if (agreedMicroUsd !== undefined) verifyWithinLimit(agreedMicroUsd);
  const challenge = readChallenge(await exchange(fetch, request, { signal }), assets);
  const { amount, asset, payTo } = challenge.requirements;
  const priceMicroUsd = BigInt(amount);
  if (agreedMicroUsd !== undefined && priceMicroUsd !== agreedMicroUsd) {
    throw new UnacceptableChallengeError(
      `The quote is ${usdFromMicro(agreedMicroUsd)} USD, but the challenge asks ${usdFromMicro(priceMicroUsd)} USD.`,
    );
  }
  verifyWithinLimit(priceMicroUsd);
  await verifyPayee(challenge, request);
  signal?.throwIfAborted();
  const signed = await budget.sign(id, priceMicroUsd, async () => ({
    ...(await signPayment(account, challenge, maxMicroUsd)),
    ...{ asset, payer: account.address },
  }));
  return {
    capabilityId: id,
    request,
    priceUsd: usdFromMicro(priceMicroUsd),
    amount,
    asset,
    payTo,
    payer: account.address,
    authorizationNonce: signed.authorizationNonce,
    validBefore: new Date(signed.validBeforeSeconds * 1000).toISOString(),
    paymentSignature: signed.paymentSignature,
  };
}
