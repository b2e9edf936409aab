import { AssayError, type ChannelPayment, NETWORK, type PaymentErrorCode } from "@assay/protocol";
import { holdMove } from "../../credits/ledger.js";
import { consumeQuote } from "../../quotes/quotes.js";
import type { Transaction } from "../../store/database.js";
import { type Finished, type Settlement, settleAll } from "../finishSettled.js";
import type { Offer } from "../matchOffer.js";
import type { ReservedCall } from "../paidCall.js";
import { DIGEST_VERSION, digestOf } from "../paymentDigest.js";
import { readPaymentIdentifier } from "../paymentHeader.js";
import type { SettlementContext } from "../paymentsContext.js";
import { creditHoldOf, Refusal, readRefusal } from "../reserve.js";
import type { OwedAnswer } from "../storeAnswer.js";
import type { Channel } from "./channelRecords.js";

/** One voucher that buys one answer: all that its charge writes down. */
export interface Charge {
  readonly call: ReservedCall<ChannelPayment>;
  readonly offer: Offer;
  /** As it was before this charge. */
  readonly channel: Channel;
  readonly answer: OwedAnswer;
  /** The deposit that came with the voucher, where this process brought it to the chain. */
  readonly deposit: { readonly transaction: string; readonly amount: string } | undefined;
}

export type ChargeOutcome =
  | ({ readonly status: "charged" } & Finished)
  /** The channel has changed since it was read; nothing was charged. */
  | { readonly status: "stale" }
  | { readonly status: "refused"; readonly error: PaymentErrorCode };

/**
 * Charges the channel, stores the answer and settles the call with everything it causes, in one transaction: the voucher is
 * durable before the answer leaves, and there is no charge without an answer.
 */
export async function chargeVoucher(context: SettlementContext, charge: Charge): Promise<ChargeOutcome> {
  const { database } = context;
  try {
    // A quote can be refused, and must not take others with it.
    if (charge.offer.quoteId !== null) return (await chargeAll(context, [charge]))[0] as ChargeOutcome;
    return await database.batch("charge", charge, (all) => chargeAll(context, all));
  } catch (error) {
    return readRefusal(error);
  }
}

async function chargeAll(context: SettlementContext, charges: readonly Charge[]): Promise<ChargeOutcome[]> {
  const finished = await context.database.transaction(async (tx) => {
    const charged = await moveChannels(tx, charges);
    const good = charges.filter(({ channel }) => charged.has(channel.channelNo));
    if (good.length === 0) return new Map<string, Finished>();
    await insertCalls(tx, good);
    const settlements: Settlement[] = [];
    for (const charge of good) {
      await takeQuote(tx, charge);
      settlements.push({ ...describeSettlement(charge), invocation: charge.call.invocation });
    }
    context.failpoints.reach("inside_charge");
    return settleAll(context, tx, settlements);
  });
  return charges.map(({ call }) => {
    const end = finished.get(call.invocation.invocationId);
    return end ? { status: "charged", ...end } : { status: "stale" };
  });
}

/** The channels whose charge this moved, from exactly what the voucher adds to, and never above what they hold. */
async function moveChannels(tx: Transaction, charges: readonly Charge[]): Promise<ReadonlySet<bigint>> {
  const given = charges.map(({ call, channel }) => ({
    channel_no: channel.channelNo.toString(),
    charged: channel.charged.toString(),
    ceiling: call.payment.payload.voucher.maxClaimableAmount,
    amount: call.invocation.amount.toString(),
    signature: call.payment.payload.voucher.signature.slice(2),
    holder: call.invocation.invocationId,
  }));
  const rows = await tx.query<{ channel_no: bigint }>({
    name: "channels_charge",
    text: `WITH given AS (
             SELECT * FROM json_to_recordset($1)
               AS g (channel_no bigint, charged bigint, ceiling bigint, amount bigint, signature text, holder text)),
           locked AS MATERIALIZED (
             SELECT c.channel_no FROM channels c JOIN given USING (channel_no) ORDER BY c.channel_no FOR NO KEY UPDATE OF c)
           UPDATE channels c SET charged = g.ceiling, voucher_signature = decode(g.signature, 'hex'), charged_at = now(),
             unclaimed_since = coalesce(c.unclaimed_since, now()), busy_by = NULL, busy_until = NULL
           FROM given g JOIN locked USING (channel_no)
           WHERE c.channel_no = g.channel_no AND c.charged = g.charged AND g.ceiling = g.charged + g.amount
             AND g.ceiling <= c.balance - c.withdrawing - c.refunding
             AND (c.busy_until IS NULL OR c.busy_until < now() OR c.busy_by = g.holder)
           RETURNING c.channel_no`,
    values: [JSON.stringify(given)],
  });
  return new Set(rows.map((row) => row.channel_no));
}

/** The calls and their answers, on their way to `settled` in the same transaction. */
async function insertCalls(tx: Transaction, charges: readonly Charge[]): Promise<void> {
  const rows = charges.map(({ call, offer, answer }) => {
    const { payment, invocation } = call;
    const { voucher, ...rest } = invocation;
    return {
      invocation_id: rest.invocationId,
      capability_id: rest.capabilityId,
      capability_version: rest.capabilityVersion,
      input_hash: rest.inputHash,
      network: NETWORK,
      asset: rest.asset,
      payer: rest.payer,
      authorization_nonce: rest.authorizationNonce,
      payment_digest: digestOf(payment),
      digest_version: DIGEST_VERSION,
      offer_key: offer.key,
      payment_identifier: readPaymentIdentifier(payment),
      pay_to: rest.payTo,
      amount: rest.amount.toString(),
      valid_before: rest.validBefore.toString(),
      reserved_at_block: rest.reservedAtBlock,
      quote_id: offer.quoteId,
      quoted_status: offer.cacheStatus,
      list_price_micro_usd: String(offer.listPriceMicroUsd),
      credit_micro_usd: String(offer.creditMicroUsd),
      credit_hold: offer.creditMicroUsd === 0n ? null : creditHoldOf(rest),
      price_micro_usd: String(offer.priceMicroUsd),
      actual_status: answer.actualStatus,
      result_hash: answer.resultHash,
      artifact_id: answer.artifactId,
      created_at: rest.createdAt.toISOString(),
      channel_no: voucher?.channelNo.toString(),
      voucher_ceiling: voucher?.ceiling.toString(),
      signature: voucher?.signature.slice(2),
      body: answer.packedBody ? null : (answer.sealedBody?.toString("base64") ?? answer.body),
      packed_body: answer.packedBody?.toString("base64") ?? null,
      is_sealed: answer.sealedBody !== null,
      effects: answer.effects,
    };
  });
  const columns = `invocation_id, capability_id, capability_version, input_hash, network, asset, payer, authorization_nonce,
    payment_digest, digest_version, offer_key, payment_identifier, pay_to, amount, valid_before, reserved_at_block, quote_id,
    quoted_status, list_price_micro_usd, credit_micro_usd, credit_hold, price_micro_usd, actual_status, result_hash, artifact_id,
    created_at, channel_no, voucher_ceiling`;
  await tx.query({
    name: "voucher_calls_insert",
    text: `WITH given AS (SELECT $1::json AS rows),
           calls AS (
             INSERT INTO invocations (state, lease_until, computed_at, voucher_signature, ${columns})
             SELECT 'settling', now(), now(), decode(signature, 'hex'), ${columns}
             FROM given, json_to_recordset(rows) AS r (invocation_id text, capability_id text, capability_version text,
               input_hash text, network text, asset text, payer text, authorization_nonce text, payment_digest text,
               digest_version smallint, offer_key text, payment_identifier text, pay_to text, amount bigint, valid_before bigint,
               reserved_at_block bigint, quote_id text, quoted_status text, list_price_micro_usd bigint,
               credit_micro_usd bigint, credit_hold text, price_micro_usd bigint, actual_status text, result_hash text, artifact_id text,
               created_at timestamptz, channel_no bigint, voucher_ceiling bigint, signature text)
             ORDER BY payer, authorization_nonce)
           INSERT INTO responses (invocation_id, body, packed_body, is_sealed, effects)
           SELECT invocation_id, CASE WHEN is_sealed THEN decode(body, 'base64') ELSE convert_to(body, 'UTF8') END,
             decode(packed_body, 'base64'), is_sealed, coalesce(effects, 'null')
           FROM given, json_to_recordset(rows)
             AS r (invocation_id text, body text, packed_body text, is_sealed boolean, effects json)`,
    values: [JSON.stringify(rows)],
  });
}

async function takeQuote(tx: Transaction, { call, offer }: Charge): Promise<void> {
  if (offer.quoteId && !(await consumeQuote(tx, offer.quoteId, call.invocation.invocationId)))
    throw new Refusal("quote_used");
}

/** PAYMENT-RESPONSE as the scheme gives it: no transaction for a voucher, and what the channel was charged so far. */
function describeSettlement({ call, offer, channel, deposit }: Charge): Omit<Settlement, "invocation"> {
  const { voucher } = call.payment.payload;
  const { amount } = call.payment.accepted;
  const { invocation } = call;
  const credit = offer.creditMicroUsd;
  return {
    transaction: null,
    // Held and redeemed in one move: a hold of its own would lock accounts and the log before the seeds, which others lock first.
    holds: credit === 0n ? [] : [holdMove(invocation.payer, creditHoldOf(invocation), credit)],
    voucher: { channelId: channel.channelId, maxClaimableAmount: voucher.maxClaimableAmount },
    response: {
      transaction: deposit?.transaction ?? "",
      network: NETWORK,
      amount: deposit?.amount ?? "",
      extra: {
        chargedAmount: amount,
        channelState: describeChannel(channel, BigInt(voucher.maxClaimableAmount)),
      },
    },
  };
}

/** A channel's state in the words of the scheme. */
export const describeChannel = (channel: Channel, charged = channel.charged) => ({
  channelId: channel.channelId,
  balance: channel.balance.toString(),
  totalClaimed: channel.claimed.toString(),
  withdrawRequestedAt: Number(channel.withdrawRequestedAt),
  refundNonce: channel.refundNonce.toString(),
  chargedCumulativeAmount: charged.toString(),
});

/** Where no voucher may be taken any more, for a reason that passes. */
export const channelUnreadable = () =>
  new AssayError(
    "chain_unavailable",
    "No node answers about the payment channel now. Nothing was charged; retry the same payload.",
  );
