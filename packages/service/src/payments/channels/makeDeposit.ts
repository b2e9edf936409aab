import {
  type ChannelConfig,
  type ChannelDeposit,
  channelIdOf,
  depositNonceOf,
  type PaymentErrorCode,
} from "@assay/protocol";
import type { DepositOrder } from "../facilitator.js";
import { belowCost, notSent, notVerified, outcomeUnknown } from "../paymentErrors.js";
import type { ClaimContext } from "../paymentsContext.js";
import { encodeDeposit } from "./channelChain.js";

/** A deposit must outlive the transaction that makes it; the official scheme's figure. */
const MIN_REMAINING_SECONDS = 6n;

/** `transaction` is undefined for a deposit that was made before, by an earlier try or by anybody else: the channel holds it. */
export type Deposited =
  | { readonly transaction: string | undefined }
  | { readonly refusal: PaymentErrorCode; readonly detail?: string };

/** Brings a deposit to the chain. Until it is known what became of it, the same payload can be sent again. */
export async function makeDeposit(
  context: ClaimContext,
  config: ChannelConfig,
  deposit: ChannelDeposit,
): Promise<Deposited> {
  const { channels } = context.facilitator;
  if (!channels) throw notVerified();
  const { validAfter, validBefore, salt } = deposit.authorization.erc3009Authorization;
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  if (BigInt(validBefore) < nowSeconds + MIN_REMAINING_SECONDS)
    return { refusal: "invalid_batch_settlement_evm_payload_authorization_valid_before" };
  if (BigInt(validAfter) > nowSeconds)
    return { refusal: "invalid_batch_settlement_evm_payload_authorization_valid_after" };
  const order: DepositOrder = {
    call: encodeDeposit(config, deposit),
    payer: config.payer,
    token: config.token,
    amount: BigInt(deposit.amount),
    nonce: depositNonceOf(channelIdOf(config), salt),
    validBefore: BigInt(validBefore),
  };
  const verified = await channels.verifyDeposit(order);
  if (verified.status === "unavailable") throw notVerified();
  if (verified.status === "refused" && verified.authorizationUsed) return { transaction: undefined };
  if (verified.status === "refused") return { refusal: "payment_refused", detail: verified.reason };
  const outcome = await channels.deposit(order);
  switch (outcome.status) {
    case "settled":
      context.metrics.channelGas.inc({ for: "deposit" }, Number(outcome.gasUsed ?? 0n));
      return { transaction: outcome.transaction };
    case "failed":
      return { refusal: "invalid_batch_settlement_evm_deposit_transaction_failed", detail: outcome.reason };
    case "not_sent":
      throw outcome.isBelowCost ? belowCost(outcome.reason) : notSent();
    case "unknown":
      throw outcomeUnknown();
  }
}
