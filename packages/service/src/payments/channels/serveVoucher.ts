import { randomBytes } from "node:crypto";
import {
  type ChannelPayment,
  depositNonceOf,
  type Hex,
  keccak256,
  type PaymentErrorCode,
  voucherDigestOf,
} from "@assay/protocol";
import { concat, stringToHex } from "viem";
import { OfferEndedError } from "../../evidence/answer.js";
import { freshnessOf } from "../../evidence/freshness.js";
import { endQuote } from "../../quotes/quotes.js";
import { walletBlocked } from "../../store/blockedWallets.js";
import { throughOutage } from "../../store/database.js";
import type { Invocation } from "../invocations.js";
import { matchOffer, type Offer } from "../matchOffer.js";
import type { PaidCall, PaidOutcome, ReservedCall } from "../paidCall.js";
import { outcomeUnknown, verifyCanSign } from "../paymentErrors.js";
import { replay } from "../replay.js";
import { findKnownPayment } from "../reserve.js";
import { authorizationStateCall } from "../settlement/transferCall.js";
import { type ChainState, readChannels } from "./channelChain.js";
import { findDepositRefusal } from "./channelGas.js";
import {
  type Channel,
  findChannel,
  keepDeposit,
  leaseWhenFree,
  openChannel,
  recordChainState,
  releaseChannel,
} from "./channelRecords.js";
import { type Charge, channelUnreadable, chargeVoucher } from "./chargeVouchers.js";
import { checkNext, checkVoucher, MISMATCH, usableOf } from "./checkVoucher.js";
import { correctChallenge } from "./correctChallenge.js";
import { makeDeposit } from "./makeDeposit.js";

type VoucherCall = PaidCall<ChannelPayment>;

/** A node behind the one that mined a deposit shows it a moment later. */
const SHOWN_AFTER_MS = 5_000;
const POLL_MS = 150;

/**
 * The life of a payment by voucher, from top to bottom. The voucher is over everything that its channel was charged so far and
 * the price of this call. So calls of one channel run one after another, and what was charged decides which voucher is next.
 * A deposit that comes with a voucher is brought to the chain first: it stays the payer's money, whatever becomes of the call.
 * Nothing is charged before the answer exists, and charge and answer are one commit.
 */
export async function serveVoucher(call: VoucherCall): Promise<PaidOutcome> {
  const { context, payment } = call;
  const { channelId } = payment.payload.voucher;
  const mismatch = checkVoucher(context, payment);
  if (mismatch) return call.refuse(mismatch);
  const match = await matchOffer(call, payment.payload.channelConfig.payer);
  if ("refusal" in match) return refuseUnlessSettled(call, match.refusal);
  const turn = context.channelTurns.run(channelId.toLowerCase(), () => serveInTurn(call, match.offer));
  return turn ?? call.refuse("invalid_batch_settlement_evm_channel_busy");
}

async function serveInTurn(call: VoucherCall, offer: Offer): Promise<PaidOutcome> {
  const { context, payment, sale } = call;
  const { database, failpoints } = context;
  const ceiling = BigInt(payment.payload.voucher.maxClaimableAmount);
  const price = BigInt(payment.accepted.amount);

  // Is this the channel's next voucher?
  const known = await findOrOpen(call, ceiling - price);
  if (!known) return call.refuse("invalid_batch_settlement_evm_channel_not_found");
  let channel = known;
  const fault = checkNext(channel, ceiling, price);
  if (fault === MISMATCH) return replayOrCorrect(call, channel);
  if (context.blockedWallets.has(payment.payload.channelConfig.payer)) throw walletBlocked();
  if (offer.lapsed) return call.refuse(offer.lapsed);
  context.chain.getFreshHead();
  verifyCanSign(context.signer);

  // Is it covered? The chain is asked only where the last known state does not cover it.
  let deposit: Charge["deposit"];
  if (fault) {
    const brought = await cover(call, channel, ceiling);
    if ("refusal" in brought) return call.refuse(brought.refusal, brought.detail);
    ({ channel, deposit } = brought);
    failpoints.reach("after_deposit");
    // Meanwhile another process may have charged the channel: this is the next voucher no longer.
    if (checkNext(channel, ceiling, price) === MISMATCH) return replayOrCorrect(call, channel);
  } else await keepEarlier(call, channel);

  // Work for one voucher is done once, whatever process it reaches. A stored answer is no work.
  const reserved: ReservedCall<ChannelPayment> = { ...call, invocation: describeCall(call, offer, channel) };
  const { invocationId } = reserved.invocation;
  const isLeased = offer.cacheStatus !== "hit";
  if (isLeased && !(await leaseWhenFree(database, channel, invocationId)))
    return replayOrCorrect(call, await reload(call), "invalid_batch_settlement_evm_channel_busy");
  try {
    failpoints.reach("after_lease");
    const write = await sale.compute(reserved);
    const answer = await write();
    failpoints.reach("before_charge");
    const charge: Charge = { call: reserved, offer, channel, answer, deposit };
    const outcome = await throughOutage(() => chargeVoucher(context, charge));
    failpoints.reach("after_charge");
    if (outcome.status !== "charged") await releaseChannel(database, channel, invocationId);
    if (outcome.status === "stale")
      return await replayOrCorrect(call, await reload(call), "invalid_batch_settlement_evm_channel_busy");
    if (outcome.status === "refused") return call.refuse(outcome.error);
    context.metrics.channelCalls.inc();
    const { effects } = answer;
    if (effects && "artifact" in effects)
      context.freshness.learn(freshnessOf(effects.artifact, effects.fingerprint?.address ?? null));
    const response = { body: Buffer.from(answer.body), paymentResponse: outcome.paymentResponse };
    return { status: "answer", invocationId, response };
  } catch (error) {
    if (isLeased) await releaseChannel(database, channel, invocationId);
    if (error instanceof OfferEndedError) return endOffer(call, offer);
    await context.limits.consume("refusedPayment", call.request.clientAddress);
    throw error;
  }
}

/**
 * The channel as it is on record. One that was never seen, or whose record was lost, is taken from the chain, and what it was
 * charged from its voucher: the voucher covers that too, so nothing that was charged before is given up.
 */
async function findOrOpen(
  { context, payment }: VoucherCall,
  chargedBefore: bigint,
): Promise<Channel | undefined> {
  const { database, chain } = context;
  const { channelConfig, voucher, type } = payment.payload;
  const known = await findChannel(database, voucher.channelId);
  if (known) return known;
  const [state] = await readChannels(chain, [voucher.channelId]);
  if (!state) throw channelUnreadable();
  // Only a payer opens a channel: by a deposit that it signed, made before or with this call.
  if (state.balance === 0n && type !== "deposit") return undefined;
  const least = state.claimed > 0n ? state.claimed : 0n;
  const charged = chargedBefore >= least && chargedBefore <= state.balance ? chargedBefore : least;
  if (state.balance === 0n) return describeUnopened(payment, state);
  await openChannel(database, voucher.channelId, channelConfig, state, charged);
  return findChannel(database, voucher.channelId);
}

/** A channel that its first deposit will open. It gets its record when the deposit is on the chain. */
const describeUnopened = ({ payload }: ChannelPayment, state: ChainState): Channel => ({
  ...state,
  channelNo: UNOPENED,
  channelId: payload.voucher.channelId.toLowerCase() as Hex,
  config: payload.channelConfig,
  charged: 0n,
  voucherSignature: null,
  refunding: 0n,
});
const UNOPENED = -1n;

type Cover =
  | { readonly channel: Channel; readonly deposit: Charge["deposit"] }
  | { readonly refusal: PaymentErrorCode; readonly detail?: string };

/** Brings the deposit to the chain, if one came with the voucher and is not there yet, and reads the channel's state again. */
async function cover(call: VoucherCall, channel: Channel, ceiling: bigint): Promise<Cover> {
  const { payload } = call.payment;
  const seen = await sync(call, channel);
  if (ceiling <= usableOf(seen)) {
    await keepEarlier(call, seen);
    return { channel: seen, deposit: undefined };
  }
  if (payload.type !== "deposit")
    return { refusal: "invalid_batch_settlement_evm_cumulative_exceeds_balance" };
  const amount = BigInt(payload.deposit.amount);
  if (ceiling > usableOf(seen) + amount)
    return { refusal: "invalid_batch_settlement_evm_cumulative_exceeds_balance" };
  const loss = findDepositRefusal(call.context, amount);
  if (loss) return { refusal: "invalid_batch_settlement_evm_deposit_below_min_deposit", detail: loss };
  const { limits } = call.context;
  await limits.consume("deposit", payload.channelConfig.payer.toLowerCase());
  await limits.consume("depositFrom", call.request.clientAddress);
  const made = await makeDeposit(call.context, payload.channelConfig, payload.deposit);
  if ("refusal" in made) return made;
  call.context.failpoints.reach("after_deposit_sent");
  for (const deadline = Date.now() + SHOWN_AFTER_MS; Date.now() < deadline; ) {
    const after = await sync(call, seen);
    if (ceiling <= usableOf(after)) {
      const { transaction } = made;
      await keepDeposit(call.context.database, after, payload.deposit);
      if (transaction === undefined) return { channel: after, deposit: undefined };
      return { channel: after, deposit: { transaction, amount: payload.deposit.amount } };
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  throw outcomeUnknown();
}

/** A deposit that came with the voucher and is on the chain: an earlier try brought it there, and may have died before it was kept. */
async function keepEarlier({ context, payment }: VoucherCall, channel: Channel): Promise<void> {
  const { payload } = payment;
  if (payload.type !== "deposit") return;
  const { channelConfig, deposit, voucher } = payload;
  const { salt } = deposit.authorization.erc3009Authorization;
  const nonce = depositNonceOf(voucher.channelId, salt);
  const [state] = await context.chain.readLatest([
    authorizationStateCall(channelConfig.token, channelConfig.payer, nonce),
  ]);
  if (state.status !== "value") throw channelUnreadable();
  if (BigInt(state.value) !== 0n) await keepDeposit(context.database, channel, deposit);
}

/** The channel as the chain shows it now, recorded. */
async function sync({ context, payment }: VoucherCall, channel: Channel): Promise<Channel> {
  const { database, chain } = context;
  const { channelConfig, voucher } = payment.payload;
  const [state] = await readChannels(chain, [voucher.channelId]);
  if (!state) throw channelUnreadable();
  if (channel.channelNo === UNOPENED) {
    if (state.balance === 0n) return channel;
    await openChannel(database, voucher.channelId, channelConfig, state, channel.charged);
  } else await database.transaction((tx) => recordChainState(tx, channel.channelNo, state, null));
  return (await findChannel(database, voucher.channelId)) ?? channel;
}

async function reload({ context, payment }: VoucherCall): Promise<Channel> {
  const channel = await findChannel(context.database, payment.payload.voucher.channelId);
  if (!channel) throw new Error("a channel is gone");
  return channel;
}

/** What is known of this very payment comes first: whatever became of its offer, its answer is its buyer's. */
async function refuseUnlessSettled(call: VoucherCall, refusal: PaymentErrorCode): Promise<PaidOutcome> {
  const known = await findKnownPayment(
    call,
    call.payment.payload.channelConfig.payer,
    voucherNonceOf(call.payment),
  );
  return known?.state === "settled" ? replay({ ...call, invocation: known }) : call.refuse(refusal);
}

/** Either its answer was bought with it before, or it is over another amount than the next one: then the payer learns which that is. */
async function replayOrCorrect(
  call: VoucherCall,
  channel: Channel,
  /** Why it is refused although it is the next one. */
  otherwise: PaymentErrorCode = MISMATCH,
): Promise<PaidOutcome> {
  const { channelConfig, voucher } = call.payment.payload;
  const known = await findKnownPayment(call, channelConfig.payer, voucherNonceOf(call.payment));
  if (known?.state === "settled") return replay({ ...call, invocation: known });
  const price = BigInt(call.payment.accepted.amount);
  if (checkNext(channel, BigInt(voucher.maxClaimableAmount), price) !== MISMATCH)
    return call.refuse(otherwise);
  return {
    status: "challenge",
    challenge: await correctChallenge(call.context, call.request, channel, voucher),
  };
}

async function endOffer(call: VoucherCall, { quoteId }: Offer): Promise<PaidOutcome> {
  if (quoteId !== null) await endQuote(call.context.database, quoteId);
  return call.refuse(quoteId === null ? "ticket_expired" : "quote_expired");
}

/** Names one voucher under one offer. After a call that charged nothing, the same voucher may be sent under another offer. */
function voucherNonceOf({ payload, accepted }: ChannelPayment): Hex {
  const { channelId, maxClaimableAmount } = payload.voucher;
  const digest = voucherDigestOf({
    channelId: channelId.toLowerCase(),
    maxClaimableAmount: BigInt(maxClaimableAmount),
  });
  const { ticket, quoteId } = accepted.extra;
  return keccak256(concat([digest, stringToHex(String(ticket ?? quoteId))]));
}

/** The call as it will be recorded if it is charged. */
function describeCall(
  { context, request, payment }: VoucherCall,
  offer: Offer,
  channel: Channel,
): Invocation {
  const { channelConfig, voucher } = payment.payload;
  return {
    invocationId: `inv_${randomBytes(16).toString("hex")}`,
    capabilityId: request.sold.id,
    capabilityVersion: request.sold.version,
    inputHash: request.inputHash,
    state: "reserved",
    attempt: 1,
    leaseUntilMs: 0,
    asset: payment.accepted.asset.toLowerCase(),
    payer: channelConfig.payer.toLowerCase(),
    authorizationNonce: voucherNonceOf(payment),
    paymentDigest: "",
    digestVersion: 3,
    payTo: payment.accepted.payTo.toLowerCase(),
    amount: BigInt(payment.accepted.amount),
    validBefore: 0n,
    reservedAtBlock: context.chain.getFreshHead().header.number,
    quoteId: offer.quoteId,
    quotedStatus: offer.cacheStatus,
    actualStatus: null,
    listPriceMicroUsd: offer.listPriceMicroUsd,
    creditMicroUsd: offer.creditMicroUsd,
    priceMicroUsd: offer.priceMicroUsd,
    creditHold: null,
    resultHash: null,
    artifactId: null,
    transactionHash: null,
    voucher: {
      channelNo: channel.channelNo,
      ceiling: BigInt(voucher.maxClaimableAmount),
      signature: voucher.signature as Hex,
    },
    redeliveredBy: null,
    failure: null,
    createdAt: new Date(),
    settledAt: null,
    paymentIdentifier: null,
    x402ReceiptHash: null,
    logIndex: null,
  };
}
