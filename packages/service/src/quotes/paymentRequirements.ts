import {
  CHANNEL_SCHEME,
  type ChannelRequirements,
  MAX_TIMEOUT_SECONDS,
  NETWORK,
  type PaymentRequired,
  type PaymentRequirements,
} from "@assay/protocol";
import type { Settings } from "../base/settings.js";

/**
 * What ties a payment to one price: a stored quote, or a ticket that needs no storage. Both carry a secret of the buyer, a
 * quote beside its id, because receipts show the id.
 */
export type PriceBinding =
  | { readonly quoteId: string; readonly buyerSecret: string }
  | { readonly ticket: string };

/** One micro-USD is one atomic unit of the six-decimal stablecoin, so the amount is the price. */
export function buildRequirements(
  settings: Settings,
  priceMicroUsd: bigint,
  /** Absent where a price is only stated, not offered. */
  binding?: PriceBinding,
): PaymentRequirements {
  const { address, name, version } = settings.stablecoin;
  return {
    scheme: "exact",
    network: NETWORK,
    asset: address,
    amount: priceMicroUsd.toString(),
    payTo: settings.payTo,
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    extra: { name, version, ...binding },
  };
}

/** A deposit of this many times the price is asked for: it costs a transaction, so it should last for a while. */
const DEPOSIT_MULTIPLE = 10n;

/** The same price, paid from a channel. */
export function toChannelRequirements(
  { receiverAuthorizer, withdrawDelaySeconds }: NonNullable<Settings["channels"]>,
  requirements: PaymentRequirements,
): ChannelRequirements {
  const minDeposit = (BigInt(requirements.amount) * DEPOSIT_MULTIPLE).toString();
  return {
    ...requirements,
    scheme: CHANNEL_SCHEME,
    extra: { ...requirements.extra, receiverAuthorizer, withdrawDelay: withdrawDelaySeconds, minDeposit },
  };
}

/** Every way to pay this price. */
export function listAccepted(
  settings: Settings,
  requirements: PaymentRequirements,
): PaymentRequired["accepts"] {
  const { channels } = settings;
  return channels ? [requirements, toChannelRequirements(channels, requirements)] : [requirements];
}
