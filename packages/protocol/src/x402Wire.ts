import { z } from "zod";
import { addressSchema, NETWORK } from "./primitives.js";

export const X402_VERSION = 2;
/** How long a signed authorization may wait for settlement; every challenge states it. */
export const MAX_TIMEOUT_SECONDS = 300;

export const uint256 = z
  .string()
  // `abort`: BigInt throws on text that the pattern refuses, so the refinement must not run on it.
  .regex(/^(0|[1-9][0-9]{0,77})$/, { error: "must be a decimal integer", abort: true })
  .refine((value) => BigInt(value) < 2n ** 256n, "must fit in 256 bits");

/** What a payer has to pay. `extra` contains the token's EIP-712 domain and the binding of the price. */
export const paymentRequirementsSchema = z.object({
  scheme: z.literal("exact"),
  network: z.literal(NETWORK),
  asset: addressSchema,
  amount: uint256,
  payTo: addressSchema,
  maxTimeoutSeconds: z.int().positive(),
  extra: z.record(z.string(), z.unknown()),
});

/**
 * The x402 scheme `batch-settlement` on EVM: a payer deposits into a channel once, then pays each call with a voucher, that is
 * a signature over everything that the channel may be charged so far. The receiver claims the newest voucher later.
 */
export const CHANNEL_SCHEME = "batch-settlement";

/** `extra` contains what the channel must be made of, beside the binding of the price. */
export const channelRequirementsSchema = paymentRequirementsSchema.extend({
  scheme: z.literal(CHANNEL_SCHEME),
});

/** Ways to pay one price: `exact` first, and by channel where the service takes vouchers. */
const acceptsSchema = z.tuple([paymentRequirementsSchema], channelRequirementsSchema);

/** EIP-3009 `TransferWithAuthorization` in the form of x402. */
export const authorizationSchema = z.strictObject({
  from: addressSchema,
  to: addressSchema,
  value: uint256,
  validAfter: uint256,
  validBefore: uint256,
  nonce: z.string().regex(/^0x[a-fA-F0-9]{64}$/, "must be 32 bytes in hex"),
});

export const paymentPayloadSchema = z.object({
  x402Version: z.literal(X402_VERSION),
  resource: z.record(z.string(), z.unknown()).optional(),
  accepted: paymentRequirementsSchema,
  payload: z.strictObject({
    signature: z.string().regex(/^0x([a-fA-F0-9]{2})+$/, "must be hex bytes"),
    authorization: authorizationSchema,
  }),
  extensions: z.record(z.string(), z.unknown()).optional(),
});

export const paymentRequiredSchema = z.object({
  x402Version: z.literal(X402_VERSION),
  error: z.string().optional(),
  resource: z.object({
    url: z.string(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
  }),
  accepts: acceptsSchema,
  extensions: z.record(z.string(), z.unknown()).optional(),
});

/** GET /.well-known/x402: the list of what is sold, for crawlers. The price in a live 402 is the one that counts. */
export const x402ManifestSchema = z.object({
  version: z.literal(1),
  x402Version: z.literal(X402_VERSION),
  resources: z.array(z.string()),
  items: z.array(
    z.object({
      resource: z.string(),
      type: z.literal("http"),
      method: z.enum(["GET", "POST"]),
      x402Version: z.literal(X402_VERSION),
      description: z.string(),
      mimeType: z.string(),
      /** At the route's highest price. A payment must still answer a 402, which binds it to a request. */
      accepts: acceptsSchema,
    }),
  ),
  instructions: z.string(),
  openapi: z.string(),
});

export type PaymentRequirements = z.infer<typeof paymentRequirementsSchema>;
export type ChannelRequirements = z.infer<typeof channelRequirementsSchema>;
export type PaymentPayload = z.infer<typeof paymentPayloadSchema>;
export type X402Manifest = z.infer<typeof x402ManifestSchema>;
export type PaymentRequired = z.infer<typeof paymentRequiredSchema>;

export const transferWithAuthorizationTypes = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
