import { type Hex, usdFromMicro } from "@assay/protocol";
import type { Connection, RequestOptions } from "./connect.js";
import type { Budget } from "./createBudget.js";
import type { VerifyPayee } from "./createPayeeVerifier.js";
import { NoAccountError, SpendLimitError, UnacceptableChallengeError } from "./errors.js";
import { exchange, type HttpAnswer } from "./exchange.js";
import type { HttpRequest } from "./httpRequest.js";
import { createPaymentId, verifyPaymentId } from "./paymentId.js";
import type { AnyPreparedPayment, PreparedPayment } from "./preparedPayment.js";
import { type AnyRequirements, type Challenge, readChallenge } from "./readChallenge.js";
import { readLimit } from "./readLimit.js";
import { type PayerAccount, signPayment } from "./signPayment.js";

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
  connection: Connection,
  purchase: Purchase<Id>,
  rules: SpendRules,
  { paymentId = createPaymentId(), ...options }: RequestOptions & { readonly paymentId?: string | undefined },
): Promise<PreparedPayment<Id>> {
  const { id, request } = purchase;
  verifyPaymentId(paymentId);
  const { account, challenge, priceMicroUsd } = await agreeOnPrice(
    connection,
    purchase,
    rules,
    options,
    readChallenge,
  );
  const { amount, asset, payTo } = challenge.requirements;
  const signed = await rules.budget.sign(id, priceMicroUsd, async () => ({
    ...(await signPayment(account, challenge, readLimit("maxPriceUsd", rules.maxPriceUsd), paymentId)),
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
    paymentId,
  };
}

/** A price that the caller's limits allow, and who asks for it. */
export interface Agreement<R extends AnyRequirements> {
  readonly account: PayerAccount;
  readonly challenge: Challenge<R>;
  readonly priceMicroUsd: bigint;
}

/** Requests the challenge. Throws unless price and payee are what the caller allows. */
export async function agreeOnPrice<R extends AnyRequirements>(
  { account, fetch }: Connection,
  { id, request, agreedMicroUsd }: Purchase<string>,
  { maxPriceUsd, assets, verifyPayee }: SpendRules,
  { signal }: RequestOptions,
  read: (answer: HttpAnswer, assets: readonly Hex[]) => Challenge<R>,
): Promise<Agreement<R>> {
  if (!account) throw new NoAccountError("Paying");
  const maxMicroUsd = readLimit("maxPriceUsd", maxPriceUsd);
  const verifyWithinLimit = (priceMicroUsd: bigint) => {
    if (priceMicroUsd > maxMicroUsd)
      throw new SpendLimitError(id, usdFromMicro(priceMicroUsd), usdFromMicro(maxMicroUsd));
  };
  if (agreedMicroUsd !== undefined) verifyWithinLimit(agreedMicroUsd);
  const challenge = read(await exchange(fetch, request, { signal }), assets);
  const priceMicroUsd = BigInt(challenge.requirements.amount);
  if (agreedMicroUsd !== undefined && priceMicroUsd !== agreedMicroUsd) {
    throw new UnacceptableChallengeError(
      `The quote is ${usdFromMicro(agreedMicroUsd)} USD, but the challenge asks ${usdFromMicro(priceMicroUsd)} USD.`,
    );
  }
  verifyWithinLimit(priceMicroUsd);
  await verifyPayee(challenge, request);
  signal?.throwIfAborted();
  return { account, challenge, priceMicroUsd };
}
