import { z } from "zod";
import type { EvidenceStatement } from "./artifact.js";
import {
  addressSchema,
  artifactIdSchema,
  blockNumberSchema,
  bytesSchema,
  hash32Schema,
  NETWORK,
  usdSchema,
} from "./primitives.js";

/**
 * The public part of a shared artifact: its origin, its validity and how to compute it again. The schema is strict, because
 * it must not contain the payer, the call, or anything of the sold answer.
 */
export const portableEvidenceSchema = z.strictObject({
  artifactId: artifactIdSchema,
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  network: z.literal(NETWORK),
  /** The exact normalized input. */
  input: z.record(z.string(), z.unknown()),
  inputHash: artifactIdSchema,
  /** Commits to verdict and result without revealing them: the holder of the answer can compare. */
  resultHash: artifactIdSchema,
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds of the header. */
    timestamp: z.int().min(0),
  }),
  validity: z.strictObject({
    validFromBlock: blockNumberSchema,
    validUntilBlock: blockNumberSchema,
    ttlSeconds: z.int(),
    isLive: z.boolean(),
  }),
  /** Names of the evidence fields in the answer. */
  fieldPaths: z.array(z.string()),
  /** The call that answers the same question again; null when it is no longer sold. */
  recompute: z
    .strictObject({
      capabilityId: z.string(),
      method: z.enum(["GET", "POST"]),
      url: z.string(),
      body: z.record(z.string(), z.unknown()).nullable(),
      listPriceUsdCeiling: usdSchema,
      payment: z.literal("x402"),
    })
    .nullable(),
  origin: z.strictObject({
    service: z.string(),
    signer: addressSchema,
    /** EIP-712, over the same statement as in an answer, but without an invocation. */
    signature: bytesSchema,
  }),
});

export type PortableEvidence = z.infer<typeof portableEvidenceSchema>;

/** The statement that is signed in a reference. It names no invocation, because a reference must not reveal the buyer. */
export function statementOfReference(
  reference: Pick<
    PortableEvidence,
    "capabilityId" | "capabilityVersion" | "inputHash" | "resultHash" | "artifactId"
  > & {
    readonly block: Pick<PortableEvidence["block"], "number" | "hash">;
    readonly validity: Pick<PortableEvidence["validity"], "validUntilBlock">;
  },
): EvidenceStatement {
  const { capabilityId, capabilityVersion, inputHash, resultHash, artifactId, block, validity } = reference;
  return {
    ...{ capabilityId, capabilityVersion, inputHash, resultHash, artifactId },
    invocationId: "",
    blockHash: block.hash,
    computedAtBlock: block.number,
    validUntilBlock: validity.validUntilBlock,
  };
}

/** What a receiver may state about itself when it asks for a reference. */
export const receiverSchema = z.object({
  channel: z
    .string()
    .max(64, "must be at most 64 characters")
    .refine((text) => !text.includes("\0"), "must not hold a NUL character")
    .optional(),
  "X-Service-Evidence-Installation": z
    .string()
    .min(16, "must be 16 to 128 characters")
    .max(128, "must be 16 to 128 characters")
    .refine((text) => !addressSchema.safeParse(text).success, "must not be a wallet")
    .optional(),
});
