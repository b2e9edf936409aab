import { z } from "zod";
import { addressSchema, type Hex } from "./primitives.js";
import { channelRequirementsSchema, type PaymentPayload, uint256, X402_VERSION } from "./x402Wire.js";

/** The scheme's contracts, at the same address on every chain. */
export const BATCH_SETTLEMENT: Hex = "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003";
/** Takes deposits by `receiveWithAuthorization` (EIP-3009). */
export const DEPOSIT_COLLECTOR: Hex = "0x4020806089470a89826cB9fB1f4059150b550004";

/** Seconds between a payer's request to withdraw and the withdrawal, as the contract bounds them. */
export const MIN_WITHDRAW_DELAY_SECONDS = 900;
export const MAX_WITHDRAW_DELAY_SECONDS = 2_592_000;

const bytes32 = z.string().regex(/^0x[a-fA-F0-9]{64}$/, "must be 32 bytes in hex");
const signature = z.string().regex(/^0x([a-fA-F0-9]{2})+$/, "must be hex bytes");
const uint128 = uint256.refine((value) => BigInt(value) < 2n ** 128n, "must fit in 128 bits");

/** Who pays whom, in which token, and whose keys decide. Its hash names the channel. */
export const channelConfigSchema = z.strictObject({
  payer: addressSchema,
  /** The key that signs vouchers. */
  payerAuthorizer: addressSchema,
  receiver: addressSchema,
  /** The key that signs claims and refunds. */
  receiverAuthorizer: addressSchema,
  token: addressSchema,
  /** Seconds. */
  withdrawDelay: z.int().nonnegative(),
  salt: bytes32,
});

export const voucherSchema = z.strictObject({
  channelId: bytes32,
  /** Atomic units that the receiver may claim in all, also for earlier calls. */
  maxClaimableAmount: uint128,
  signature,
});

const depositSchema = z.strictObject({
  amount: uint128,
  authorization: z.strictObject({
    /** EIP-3009 `ReceiveWithAuthorization` to the collector; its nonce follows from channel and salt. */
    erc3009Authorization: z.strictObject({
      validAfter: uint256,
      validBefore: uint256,
      salt: bytes32,
      signature,
    }),
  }),
});

const parts = { channelConfig: channelConfigSchema, voucher: voucherSchema };

/** A voucher, alone or with the deposit that covers it, or the request to close the channel and return what is left. */
export const channelPayloadSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("voucher"), ...parts }),
  z.strictObject({ type: z.literal("deposit"), ...parts, deposit: depositSchema }),
  z.strictObject({ type: z.literal("refund"), ...parts, amount: uint128.optional() }),
]);

export const channelPaymentSchema = z.object({
  x402Version: z.literal(X402_VERSION),
  resource: z.record(z.string(), z.unknown()).optional(),
  accepted: channelRequirementsSchema,
  payload: channelPayloadSchema,
  extensions: z.record(z.string(), z.unknown()).optional(),
});

export type ChannelConfig = z.infer<typeof channelConfigSchema>;
export type Voucher = z.infer<typeof voucherSchema>;
export type ChannelPayload = z.infer<typeof channelPayloadSchema>;
export type ChannelDeposit = Extract<ChannelPayload, { type: "deposit" }>["deposit"];
export type ChannelPayment = z.infer<typeof channelPaymentSchema>;
/** A payment in one of the two schemes. */
export type AnyPayment = PaymentPayload | ChannelPayment;
