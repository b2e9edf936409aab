import { AssayError, type ChannelPayment, NETWORK, type PaymentErrorCode } from "@assay/protocol";
import { holdMove } from "../../credits/ledger.js";
import { consumeQuote } from "../../quotes/quotes.js";
import { ONE_BY_ONE } from "../../store/batchCalls.js";
import type { Transaction } from "../../store/database.js";
import {
  applySettled,
  encodePaymentResponse,
  type Finished,
  type SettledRow,
  type Settlement,
} from "../finishSettled.js";
import { BODY_PLACES, joinBodies, selectBodies } from "../joinBodies.js";
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
    return await database.batch("charge", charge, (all) => chargeAll(context, all), ONE_BY_ONE);
  } catch (error) {
    return readRefusal(error);
  }
}

async function chargeAll(context: SettlementContext, charges: readonly Charge[]): Promise<ChargeOutcome[]> {
  const settlements = new Map(
    await Promise.all(
      charges.map(async (charge) => {
        const settlement = { ...describeSettlement(charge), invocation: charge.call.invocation };
        const encoded = await encodePaymentResponse(context, settlement);
        return [charge, { settlement, encoded }] as const;
      }),
    ),
  );
  const { bytes, places } = joinBodies(charges.map(({ answer }) => answer));
  const given = [...settlements].map(([charge, { encoded }], at) => ({
    ...describeRow(charge, encoded),
    ...places[at],
  }));
  const finished = await context.database.transaction(async (tx) => {
    const charged = new Map((await chargeChannels(tx, given, bytes)).map((row) => [row.invocation_id, row]));
    const rows: SettledRow[] = [];
    for (const [charge, { encoded }] of settlements) {
      const times = charged.get(charge.call.invocation.invocationId);
      if (!times) continue;
      await takeQuote(tx, charge);
      rows.push({ ...describeSettled(charge), ...encoded, ...times });
    }
    if (rows.length === 0) return new Map<string, Finished>();
    context.failpoints.reach("inside_charge");
    return applySettled(
      context,
      tx,
      [...settlements.values()].map(({ settlement }) => settlement),
      rows,
    );
  });
  return charges.map(({ call }) => {
    const end = finished.get(call.invocation.invocationId);
    return end ? { status: "charged", ...end } : { status: "stale" };
  });
}

/** What the database decides of a call that it charged. */
interface ChargedRow {
  invocation_id: string;
  settled_at: Date;
  took_ms: number;
}

/**
 * Charges the channels, each from exactly what its voucher adds to and never above what it holds, and writes down the calls that
 * this settles, with their answers. A channel that has changed since it was read is left as it is, and so is its call.
 */
function chargeChannels(
  tx: Transaction,
  given: readonly ReturnType<typeof describeRow>[],
  bodies: Buffer,
): Promise<ChargedRow[]> {
  return tx.query<ChargedRow>({
    name: "channels_charge",
    text: CHARGE,
    values: [JSON.stringify(given), bodies],
  });
}

const CALL_COLUMNS = `invocation_id, capability_id, capability_version, input_hash, network, asset, payer, authorization_nonce,
  payment_digest, digest_version, offer_key, payment_identifier, pay_to, amount, valid_before, reserved_at_block, quote_id,
  quoted_status, list_price_micro_usd, credit_micro_usd, credit_hold, price_micro_usd, actual_status, result_hash, artifact_id,
  created_at, channel_no, voucher_ceiling`;

const CHARGE = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1) AS g (invocation_id text, capability_id text, capability_version text,
      input_hash text, network text, asset text, payer text, authorization_nonce text, payment_digest text,
      digest_version smallint, offer_key text, payment_identifier text, pay_to text, amount bigint, valid_before bigint,
      reserved_at_block bigint, quote_id text, quoted_status text, list_price_micro_usd bigint,
      credit_micro_usd bigint, credit_hold text, price_micro_usd bigint, actual_status text, result_hash text,
      artifact_id text, created_at timestamptz, channel_no bigint, voucher_ceiling bigint, charged_before bigint,
      signature text, sealed_outcome text, effects json, packed_payment_response text, ${BODY_PLACES})),
  locked AS MATERIALIZED (
    SELECT c.channel_no FROM channels c JOIN given USING (channel_no) ORDER BY c.channel_no FOR NO KEY UPDATE OF c),
  moved AS (
    UPDATE channels c SET charged = g.voucher_ceiling, voucher_signature = decode(g.signature, 'hex'), charged_at = now(),
      unclaimed_since = coalesce(c.unclaimed_since, now()), busy_by = NULL, busy_until = NULL
    FROM given g JOIN locked USING (channel_no)
    WHERE c.channel_no = g.channel_no AND c.charged = g.charged_before AND g.voucher_ceiling = g.charged_before + g.amount
      AND g.voucher_ceiling <= c.balance - c.withdrawing - c.refunding
      AND (c.busy_until IS NULL OR c.busy_until < now() OR c.busy_by = g.invocation_id)
    RETURNING g.invocation_id),
  calls AS (
    INSERT INTO invocations (state, lease_until, computed_at, settled_at, voucher_signature, sealed_outcome, ${CALL_COLUMNS})
    SELECT 'settled', now(), now(), now(), decode(signature, 'hex'), decode(sealed_outcome, 'base64'), ${CALL_COLUMNS}
    FROM given JOIN moved USING (invocation_id) ORDER BY payer, authorization_nonce
    RETURNING invocation_id, settled_at,
      least(ceil(extract(epoch FROM settled_at - created_at) * 1000), 2147483647)::integer AS took_ms),
  answers AS (
    INSERT INTO responses (invocation_id, body, packed_body, is_sealed, effects, packed_payment_response)
    SELECT invocation_id, ${selectBodies("$2")}, coalesce(effects, 'null'), decode(packed_payment_response, 'base64')
    FROM given JOIN moved USING (invocation_id))
  SELECT * FROM calls`;

/** All that `CHARGE` writes down of one charge. */
function describeRow(
  { call, offer, channel, answer }: Charge,
  { packed_payment_response }: Awaited<ReturnType<typeof encodePaymentResponse>>,
) {
  const { payment, invocation } = call;
  const { voucher } = payment.payload;
  return {
    invocation_id: invocation.invocationId,
    capability_id: invocation.capabilityId,
    capability_version: invocation.capabilityVersion,
    input_hash: invocation.inputHash,
    network: NETWORK,
    asset: invocation.asset,
    payer: invocation.payer,
    authorization_nonce: invocation.authorizationNonce,
    payment_digest: digestOf(payment),
    digest_version: DIGEST_VERSION,
    offer_key: offer.key,
    payment_identifier: readPaymentIdentifier(payment),
    pay_to: invocation.payTo,
    amount: invocation.amount.toString(),
    valid_before: invocation.validBefore.toString(),
    reserved_at_block: invocation.reservedAtBlock,
    quote_id: offer.quoteId,
    quoted_status: offer.cacheStatus,
    list_price_micro_usd: String(offer.listPriceMicroUsd),
    credit_micro_usd: String(offer.creditMicroUsd),
    credit_hold: findHold(call, offer),
    price_micro_usd: String(offer.priceMicroUsd),
    actual_status: answer.actualStatus,
    result_hash: answer.resultHash,
    artifact_id: answer.artifactId,
    created_at: invocation.createdAt.toISOString(),
    channel_no: channel.channelNo.toString(),
    voucher_ceiling: voucher.maxClaimableAmount,
    charged_before: channel.charged.toString(),
    signature: voucher.signature.slice(2),
    sealed_outcome: answer.sealedOutcome?.toString("base64") ?? null,
    effects: answer.effects,
    packed_payment_response,
  };
}

const findHold = ({ invocation }: Charge["call"], { creditMicroUsd }: Offer): string | null =>
  creditMicroUsd === 0n ? null : creditHoldOf(invocation);

/** What its settlement needs to know of the call. */
function describeSettled({ call, offer, answer }: Charge) {
  const { invocation } = call;
  const { effects } = answer;
  const artifact = effects && "artifact" in effects ? effects : null;
  return {
    capability_id: invocation.capabilityId,
    input_hash: invocation.inputHash,
    payer: invocation.payer,
    attempt: invocation.attempt,
    actual_status: answer.actualStatus,
    price_micro_usd: offer.priceMicroUsd,
    credit_hold: findHold(call, offer),
    credit_micro_usd: offer.creditMicroUsd,
    transaction_hash: null,
    result_hash: answer.resultHash,
    artifact_id: answer.artifactId,
    computed: artifact && {
      freshUntilMs: artifact.artifact.freshUntilMs,
      address: artifact.fingerprint?.address ?? null,
      codeHash: artifact.fingerprint?.codeHash ?? null,
    },
  };
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
