import type { Metrics } from "../base/metrics.js";
import type { AnswerContext } from "../evidence/answer.js";
import type { EvidenceSigner } from "../evidence/signer.js";
import type { QuotesContext } from "../quotes/quotesContext.js";
import type { BlockedWallets } from "../store/blockedWallets.js";
import type { PayerSignatures } from "./authorizationSignature.js";
import type { ChannelTurns } from "./channels/channelTurns.js";
import type { Extensions } from "./extensions.js";
import type { Facilitator } from "./facilitator.js";

/** Enough to end a payment that somebody else began, as the reconciliation job does. */
export interface SettlementContext extends QuotesContext {
  /** Signs results, offers and receipts. */
  readonly signer: EvidenceSigner;
}

/** Enough to bring what channels need to the chain. */
export interface ClaimContext extends SettlementContext {
  readonly facilitator: Facilitator;
  readonly metrics: Metrics;
}

/** Enough to serve a payment from its first check to its answer. */
export interface PaymentsContext extends SettlementContext, AnswerContext {
  readonly facilitator: Facilitator;
  readonly metrics: Metrics;
  readonly payerSignatures: PayerSignatures;
  readonly extensions: Extensions;
  readonly channelTurns: ChannelTurns;
  readonly blockedWallets: BlockedWallets;
}
