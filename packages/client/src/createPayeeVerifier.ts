import type { Hex } from "@assay/protocol";
import { UnacceptableChallengeError } from "./errors.js";
import type { FollowSigner } from "./followKeys.js";
import type { HttpRequest } from "./httpRequest.js";
import type { AnyRequirements, Challenge } from "./readChallenge.js";

/** Throws UnacceptableChallengeError unless the payee of the challenge may be paid. */
export type VerifyPayee = (challenge: Challenge<AnyRequirements>, request: HttpRequest) => Promise<void>;

/**
 * With the address that the service is known to sign with, only a payee that this key has offered. Without it, only the
 * first payee: that notices a later change, but not a proxy that replaced the payee from the beginning.
 */
export function createPayeeVerifier(signer: Hex | undefined, follow: FollowSigner): VerifyPayee {
  let first: Hex | undefined;
  return async (challenge, request) => {
    if (signer !== undefined) {
      const { verifyOffer } = await import("./verifyOffer.js");
      return verifyOffer(challenge, request, signer, follow);
    }
    const { payTo } = challenge.requirements;
    first ??= payTo;
    if (payTo.toLowerCase() !== first.toLowerCase())
      throw new UnacceptableChallengeError(
        `The service asks to pay ${payTo}, but asked to pay ${first} before. If that is right, create a new client.`,
      );
  };
}
