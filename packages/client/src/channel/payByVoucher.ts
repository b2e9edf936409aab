import type { CapabilityId } from "@assay/capabilities";
import {
  type ChannelDeposit,
  type ChannelRequirements,
  channelErrors,
  type PaymentErrorCode,
  paymentErrors,
  usdFromMicro,
  voucherDigestOf,
} from "@assay/protocol";
import { PaymentRefusedError } from "../errors.js";
import type { HttpAnswer } from "../exchange.js";
import type { PreparedPayment } from "../preparedPayment.js";
import type { Agreement, Purchase } from "../preparePayment.js";
import { type SendOptions, sendPayment } from "../sendPayment.js";
import type { ChannelContext } from "./channelContext.js";
import { ChannelDisputeError } from "./channelDisputeError.js";
import { type ChannelRecord, countOf } from "./channelRecord.js";
import { CORRECTION, readCorrection } from "./readCorrection.js";
import { encodePayment, signDeposit, signVoucher } from "./signVoucher.js";

/** A deposit that ends sooner than this, in seconds, may not reach the chain. */
const MIN_REMAINING_SECONDS = 30;
/** Deposits that a service may deny in a row: each would lock as much of the payer's money until it is withdrawn. */
const MAX_DENIED = 3;

/** Refusals of a voucher over more than the channel holds. */
const UNCOVERED: ReadonlySet<string> = new Set<PaymentErrorCode>([
  "invalid_batch_settlement_evm_cumulative_exceeds_balance",
  "invalid_batch_settlement_evm_channel_not_found",
]);

/** What is bought, at a price that was agreed, and how its answer is read. */
export interface VoucherPurchase<Id extends CapabilityId, T> {
  readonly purchase: Purchase<Id>;
  readonly agreement: Agreement<ChannelRequirements>;
  readonly read: (answer: HttpAnswer, prepared: PreparedPayment<Id>) => T;
  readonly options: SendOptions;
}

/**
 * Pays one call from the channel. Its voucher is over what answers have cost so far and this price. Only an answer moves that
 * count, or a correction with the payer's own signature: so the highest ceiling grows by at most the price of each call, and a
 * refused call leaves its room to the next.
 */
export async function payByVoucher<Id extends CapabilityId, T>(
  context: ChannelContext,
  given: ChannelRecord,
  bought: VoucherPurchase<Id, T>,
): Promise<T> {
  const signedBefore = BigInt(given.signed);
  let record = given;
  let isCorrected = false;
  for (;;) {
    const attempt = await signAttempt(context, record, bought);
    record = attempt.record;
    // Before it is sent: what was signed must be known to the next call, whatever becomes of this one.
    await context.store.write(record);
    try {
      const answer = await sendPayment(
        context.connection.fetch,
        attempt.prepared,
        (received) => bought.read(received, attempt.prepared),
        bought.options,
      );
      // Where the record stays behind, the next call is corrected: the answer is worth more than the error.
      await context.store.write(attempt.ifAnswered).catch(() => undefined);
      return answer;
    } catch (error) {
      if (!(error instanceof PaymentRefusedError)) throw error;
      if (error.code === CORRECTION && !isCorrected) {
        isCorrected = true;
        record = correct(record, await readCorrection(error, record, signedBefore));
      } else if (UNCOVERED.has(error.code) && record.pending && hasLapsed(record.pending)) {
        // It ended before it reached the chain.
        record = { ...record, pending: undefined, denied: (record.denied ?? 0) + 1 };
      } else throw explain(error);
    }
  }
}

/** The refusal with the sentence of its own scheme. */
export function explain({ code, reason, accepts }: PaymentRefusedError): PaymentRefusedError {
  const error = reason === undefined ? code : `${code}: ${reason}`;
  return new PaymentRefusedError(error, accepts, { ...paymentErrors, ...channelErrors });
}

/** The record after a correction. A channel that was charged more than it held by our count has got its last deposit. */
function correct(record: ChannelRecord, charged: bigint): ChannelRecord {
  const { deposited } = countOf(record);
  const confirmed =
    record.pending && charged > deposited
      ? { deposited: `${deposited + BigInt(record.pending.amount)}`, pending: undefined }
      : {};
  return { ...record, charged: `${charged}`, ...confirmed };
}

const hasLapsed = ({ authorization }: ChannelDeposit): boolean =>
  Number(authorization.erc3009Authorization.validBefore) < Date.now() / 1000 + MIN_REMAINING_SECONDS;

interface Attempt<Id extends CapabilityId> {
  readonly prepared: PreparedPayment<Id>;
  readonly record: ChannelRecord;
  /** The record once this attempt has bought its answer. */
  readonly ifAnswered: ChannelRecord;
}

/** Signs the next voucher, and a deposit where the channel does not cover it. */
async function signAttempt<Id extends CapabilityId>(
  { rules, depositMicroUsd }: ChannelContext,
  record: ChannelRecord,
  {
    purchase: { id, request },
    agreement: { account, challenge, priceMicroUsd },
  }: VoucherPurchase<Id, unknown>,
): Promise<Attempt<Id>> {
  const { requirements } = challenge;
  const { channelId, charged, signed, deposited } = countOf(record);
  const ceiling = charged + priceMicroUsd;
  const growth = ceiling > signed ? ceiling - signed : 0n;
  // A deposit that was signed and is too small for this call is given up: the payer gets it back with the rest.
  const pending =
    record.pending && ceiling <= deposited + BigInt(record.pending.amount) ? record.pending : undefined;
  const held = deposited + BigInt(pending?.amount ?? 0);
  const isCovered = ceiling <= held;
  if (!isCovered && (record.denied ?? 0) >= MAX_DENIED)
    throw new ChannelDisputeError(
      `The service denies the last ${MAX_DENIED} deposits into ${channelId}. Check them on the chain.`,
    );
  // What the channel holds may be spent, so it never holds more than is left of the budget.
  const { leftMicroUsd = held + depositMicroUsd } = rules.budget;
  const affordable = leftMicroUsd - (held > signed ? held - signed : 0n);
  const topUp = largest(ceiling - held, affordable < depositMicroUsd ? affordable : depositMicroUsd);
  const { voucher, deposit } = await rules.budget.sign(id, growth, async () => ({
    ...{ asset: requirements.asset, payer: account.address },
    authorizationNonce: voucherDigestOf({ channelId, maxClaimableAmount: ceiling }),
    // A voucher does not end.
    validBeforeSeconds: Number.POSITIVE_INFINITY,
    voucher: await signVoucher(account, channelId, ceiling),
    deposit: isCovered ? pending : await signDeposit(account, record.config, requirements, topUp),
  }));
  const highest = `${largest(ceiling, signed)}`;
  const isDepositSent = deposit !== undefined && !hasLapsed(deposit);
  const payload = { channelConfig: record.config, voucher };
  const paymentSignature = encodePayment(
    requirements,
    isDepositSent ? { type: "deposit", ...payload, deposit } : { type: "voucher", ...payload },
  );
  return {
    record: { ...record, signed: highest, pending: deposit },
    ifAnswered: {
      ...record,
      charged: `${ceiling}`,
      signed: highest,
      deposited: `${isCovered ? held : held + topUp}`,
      ...{ pending: undefined, denied: undefined },
    },
    prepared: {
      ...{ capabilityId: id, request, priceUsd: usdFromMicro(priceMicroUsd) },
      ...{ amount: requirements.amount, asset: requirements.asset, payTo: requirements.payTo },
      payer: account.address,
      authorizationNonce: voucherDigestOf({ channelId, maxClaimableAmount: ceiling }),
      validBefore: new Date(Date.now() + requirements.maxTimeoutSeconds * 1000).toISOString(),
      paymentSignature,
      voucher: {
        channelId,
        maxClaimableAmount: `${ceiling}`,
        ...(isDepositSent && { deposit: deposit.amount }),
      },
    },
  };
}

const largest = (a: bigint, b: bigint): bigint => (a > b ? a : b);
