import { type Verification, verifyResult } from "@assay/client";
import type { ServiceDescription } from "@assay/protocol";

/** Holds an answer against the keys that the service states. */
export const runVerification = (
  saved: unknown,
  description: ServiceDescription | undefined,
): Promise<Verification> =>
  verifyResult(saved, {
    signer: description?.signingAddress as `0x${string}` | undefined,
    // Without its receipt an answer has no place in the log yet.
    logKey:
      typeof saved === "object" && saved !== null && "receipt" in saved
        ? description?.log.publicKey
        : undefined,
  });
