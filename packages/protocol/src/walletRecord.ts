import { z } from "zod";
import { dateTimeSchema, lowercaseAddressSchema, verdictSchema } from "./primitives.js";

/** The sentence that a wallet shows before it signs in; a message with another one is refused. */
export const SIGN_IN_STATEMENT =
  "Sign in to read what this wallet bought. This costs nothing and permits nothing else.";

/** GET /api/v1/sign-in: the message (EIP-4361) that the wallet signs, good for five minutes and one sign-in. */
export const signInOfferSchema = z.object({ message: z.string() });

export const signInRequestSchema = z.strictObject({
  message: z.string().max(2_000, "must be at most 2,000 characters"),
  // Contract wallets (ERC-1271) take more than 65 bytes.
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2}){1,2048}$/, "must be 0x followed by 1 to 2,048 whole hex bytes"),
});

export const walletSessionSchema = z.object({
  wallet: lowercaseAddressSchema,
  token: z.string(),
  expiresAt: dateTimeSchema,
});

const countSchema = z.int();

/** What a blocked transaction or message would have taken, as far as it has a price. */
const lossSchema = z.object({
  usd: z.number(),
  /** False where something that it would have taken has no known price: it is at least this much. */
  isWhole: z.boolean(),
});

export const walletCallSchema = z.object({
  invocationId: z.string(),
  capabilityId: z.string(),
  settledAt: dateTimeSchema,
  pricePaidUsd: z.number(),
  /** Null for what has no verdict, and for a private answer whose time is over. */
  verdict: verdictSchema.nullable(),
  /** Of a blocked transaction or message; null where nothing of it has a price. */
  loss: lossSchema.nullable(),
  /** Of a shared answer, which has a page of its own. */
  artifactId: z.string().nullable(),
});

/** GET /api/v1/wallets/{wallet}, for the wallet's owner. */
export const walletRecordSchema = z.object({
  wallet: lowercaseAddressSchema,
  since: dateTimeSchema,
  calls: countSchema,
  spentUsd: z.number(),
  creditLeftUsd: z.number(),
  /** Calls by their verdict; `none` of those that had none or whose verdict is no longer kept. */
  verdicts: z.object({ allow: countSchema, review: countSchema, block: countSchema, none: countSchema }),
  /** What the blocked transactions and messages would have cost. */
  prevented: lossSchema.extend({ calls: countSchema }),
  days: z.array(
    z.object({ day: z.iso.date(), calls: countSchema, spentUsd: z.number(), blocked: countSchema }),
  ),
  /** The newest first. */
  recent: z.array(walletCallSchema),
  /** Channels that hold money or owe some. */
  channels: z.array(
    z.object({
      channelId: z.string(),
      depositedUsd: z.number(),
      chargedUsd: z.number(),
      /** What the wallet can still spend from it without another deposit. */
      leftUsd: z.number(),
      openedAt: dateTimeSchema,
      isClosing: z.boolean(),
    }),
  ),
  /** Whether the operator has stopped selling to this wallet. */
  isBlocked: z.boolean(),
});

export type SignInOffer = z.infer<typeof signInOfferSchema>;
export type SignInRequest = z.infer<typeof signInRequestSchema>;
export type WalletSession = z.infer<typeof walletSessionSchema>;
export type WalletCall = z.infer<typeof walletCallSchema>;
export type WalletRecord = z.infer<typeof walletRecordSchema>;
