import { AssayError, type Hex, NETWORK, type Receipt, usdFromMicro } from "@assay/protocol";
import { findReceiptLog } from "../log/logProofs.js";
import type { LogContext } from "../log/signedHeads.js";
import { findChannelByNo, findClaim } from "./channels/channelRecords.js";
import { findInvocation, type Invocation, type InvocationVoucher } from "./invocations.js";
import { receiptHashOf } from "./offerReceipt.js";
import { findPackedPaymentResponse } from "./storedResponses.js";

/** Whether money moved: true, false, or null while only the chain knows. */
function wasCharged(invocation: Invocation): boolean | null {
  if (invocation.state === "settled") return true;
  return invocation.state === "settling" || invocation.state === "unknown" ? null : false;
}

/** Of the x402 receipt in PAYMENT-RESPONSE; null before settlement, and for calls from before x402 had receipts. */
async function findReceiptHash({ database }: LogContext, invocation: Invocation): Promise<Hex | null> {
  if (invocation.state !== "settled" || invocation.x402ReceiptHash)
    return invocation.x402ReceiptHash as Hex | null;
  const paymentResponse = await findPackedPaymentResponse(database, invocation.invocationId);
  return paymentResponse === undefined ? null : receiptHashOf(paymentResponse);
}

/**
 * The channel and what it was charged, and the payer's signature over that once a claim has shown it to everybody: enough to check
 * the payment without us. Before, who holds it could ask in the payer's place what the channel was charged since, and close it.
 */
async function describeVoucher(
  { database }: LogContext,
  { channelNo, ceiling, signature }: InvocationVoucher,
) {
  const [{ channelId, config }, claim] = await Promise.all([
    findChannelByNo(database, channelNo),
    findClaim(database, channelNo, ceiling),
  ]);
  const voucher = { channelId, maxClaimableAmount: ceiling.toString(), ...(claim && { signature }) };
  const claimed = claim ? { claimTransaction: claim.transaction as Hex | null } : {};
  return { channel: { config, voucher, isClaimed: claim !== undefined, ...claimed } };
}

export async function getReceipt(context: LogContext, invocationId: string): Promise<Receipt> {
  const invocation = await findInvocation(context.database, invocationId);
  if (!invocation) throw new AssayError("not_found", "No invocation has that id.");
  const { logIndex } = invocation;
  // A reorganisation does not change what was answered, nor what the log says of it.
  const wasAnswered = invocation.state === "settled" || invocation.state === "reorged";
  return {
    invocationId: invocation.invocationId,
    capabilityId: invocation.capabilityId,
    capabilityVersion: invocation.capabilityVersion,
    network: NETWORK,
    state: invocation.state,
    charged: wasCharged(invocation),
    pricing: {
      quotedCacheStatus: invocation.quotedStatus,
      actualCacheStatus: invocation.actualStatus ?? invocation.quotedStatus,
      listPriceUsd: usdFromMicro(invocation.listPriceMicroUsd),
      creditAppliedUsd: wasAnswered ? usdFromMicro(invocation.creditMicroUsd) : 0,
      pricePaidUsd: wasAnswered ? usdFromMicro(invocation.priceMicroUsd) : 0,
    },
    payment: {
      payer: invocation.payer as Hex,
      payTo: invocation.payTo as Hex,
      asset: invocation.asset as Hex,
      amount: invocation.amount.toString(),
      authorizationNonce: invocation.authorizationNonce,
      transaction: invocation.transactionHash as Hex | null,
      ...(invocation.voucher && (await describeVoucher(context, invocation.voucher))),
      ...(invocation.redeliveredBy && { redeliveredBy: invocation.redeliveredBy as Hex }),
    },
    resultHash: wasAnswered ? invocation.resultHash : null,
    artifactId: wasAnswered ? invocation.artifactId : null,
    quoteId: invocation.quoteId,
    paymentIdentifier: invocation.paymentIdentifier,
    x402ReceiptHash: await findReceiptHash(context, invocation),
    failure: invocation.failure,
    createdAt: invocation.createdAt.toISOString(),
    settledAt: invocation.settledAt?.toISOString() ?? null,
    log: logIndex === null ? null : await findReceiptLog(context, logIndex),
  };
}
