import type { Hex, PaymentPayload, PaymentRequirements } from "@assay/protocol";

export type VerifyOutcome =
  | { readonly status: "valid" }
  /** `authorizationUsed`: the token says this nonce is spent or cancelled; only the chain shows which. */
  | { readonly status: "refused"; readonly reason: string; readonly authorizationUsed: boolean }
  | { readonly status: "unavailable"; readonly reason: string };

export type SettleOutcome =
  /** `costMicroUsd`: its share of what the transaction cost us, where we sent it and know. `gasUsed`: by the whole transaction; `gasShare`: its part of it. */
  | {
      readonly status: "settled";
      readonly transaction: string;
      readonly costMicroUsd?: bigint | undefined;
      readonly gasUsed?: bigint | undefined;
      readonly gasShare?: bigint | undefined;
    }
  /** The facilitator is sure that nothing was, or will be, moved by this attempt. `gasUsed`: by a transaction of its own. */
  | { readonly status: "failed"; readonly reason: string; readonly gasUsed?: bigint | undefined }
  /** Nothing left this process, for a reason of ours: the same payment may be tried again. */
  | { readonly status: "not_sent"; readonly reason: string; readonly isBelowCost?: true }
  /** Anything else. Only the chain can decide it. */
  | { readonly status: "unknown"; readonly reason: string };

/** A deposit into a channel, as the scheme's contract takes it. */
export interface DepositOrder {
  readonly call: Hex;
  readonly payer: string;
  readonly token: string;
  readonly amount: bigint;
  /** Of the EIP-3009 authorization. */
  readonly nonce: string;
  /** Unix seconds. */
  readonly validBefore: bigint;
}

export interface ChannelTransactions {
  /** Whether the deposit would succeed now. */
  verifyDeposit(order: DepositOrder): Promise<VerifyOutcome>;
  deposit(order: DepositOrder): Promise<SettleOutcome>;
  /** What a transaction that uses so much gas costs now, in micro-dollars. Undefined where that is not known or does not matter. */
  estimateCost(gas: bigint): bigint | undefined;
  /** Sends a claim, a refund or the sweep of what was claimed, if it would succeed now. */
  send(call: Hex, gas: bigint): Promise<SettleOutcome>;
}

/** Verifies and settles payments for us, in this process or elsewhere. */
export interface SettlerFunds {
  readonly address: Hex;
  readonly balanceWei: bigint;
  readonly settlementsLeft: bigint;
  /** Of this key in the settings, from 1. */
  readonly place: number;
}

export interface Facilitator {
  readonly description: string;
  /** False for a remote one, whose report of a settlement is checked against the chain. */
  readonly isTrusted: boolean;
  /** Named by x402, and unlike other functions of this name it returns its outcome. */
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyOutcome>;
  /** Why a payment of so much is not worth settling now, even in a full batch. A remote facilitator bears its own cost. */
  findCostRefusal?(amountMicroUsd: bigint): string | undefined;
  /** `atAnyCost`: a payment whose outcome is open is delivered even at a loss. */
  settle(
    payload: PaymentPayload,
    requirements: PaymentRequirements,
    options?: { readonly atAnyCost: boolean },
  ): Promise<SettleOutcome>;
  /** What payment channels need of the chain. Undefined for a remote facilitator, which takes no vouchers for us. */
  readonly channels?: ChannelTransactions | undefined;
  /** What each settling key has for gas. A remote facilitator's keys are its own. */
  listSettlers?(): Promise<SettlerFunds[]>;
  /** Throws when payments cannot be taken now; otherwise says in a few words that they can. */
  verifyReady(): Promise<string>;
  close(): Promise<void>;
}
