import { z } from "zod";
import { addressSchema, bytesSchema, CHAIN_ID, type Hex } from "./primitives.js";

/**
 * A statement of two keys: the one that signed until now names its successor, and the successor says that it is one. A caller who
 * trusts either may trust the other. The log goes on under its name, and its new key is named too.
 */
export const keyEndorsementSchema = z.object({
  previousSigner: addressSchema,
  signer: addressSchema,
  /** Ed25519, 32 bytes in base64. */
  logKey: z.string().regex(/^[A-Za-z0-9+/]{43}=$/),
  logOrigin: z.string().max(200),
  /** Unix seconds. */
  endorsedAt: z.int().nonnegative(),
  /** EIP-712 signatures of both over all that stands above. */
  previousSignature: bytesSchema,
  signature: bytesSchema,
});
export type KeyEndorsement = z.infer<typeof keyEndorsementSchema>;
export type KeySuccession = Omit<KeyEndorsement, "previousSignature" | "signature">;

/** What both keys sign. */
export function keyEndorsementTypedData({
  previousSigner,
  signer,
  logKey,
  logOrigin,
  endorsedAt,
}: KeySuccession) {
  return {
    domain: { name: "Assay keys", version: "1", chainId: CHAIN_ID },
    types: {
      KeyEndorsement: [
        { name: "previousSigner", type: "address" },
        { name: "signer", type: "address" },
        { name: "logKey", type: "string" },
        { name: "logOrigin", type: "string" },
        { name: "endorsedAt", type: "uint256" },
      ],
    },
    primaryType: "KeyEndorsement",
    message: {
      previousSigner: previousSigner as Hex,
      signer: signer as Hex,
      logKey,
      logOrigin,
      endorsedAt: BigInt(endorsedAt),
    },
  } as const;
}
