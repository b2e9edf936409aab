import type { Hex } from "@assay/protocol";
import { UnacceptableChallengeError } from "./errors.js";
import type { HttpRequest } from "./httpRequest.js";
import type { Challenge } from "./readChallenge.js";

/** Throws UnacceptableChallengeError unless a payment may go where the challenge wants it. */
export type PayeeCheck = (challenge: Challenge, request: HttpRequest) => Promise<void>;

/**
 * With the address that the service is known to sign with, what it has signed; without it, whoever was to be paid first:
 * that notices a change of payee, and not one who stood in between from the beginning.
 */
export function createPayeeCheck(signer: Hex | undefined): PayeeCheck {
  let first: Hex | undefined;
  return async (challenge, request) => {
    if (signer !== undefined) {
      const { verifyOffer } = await import("./verifyOffer.js");
      return verifyOffer(challenge, request, signer);
    }
    const { payTo } = challenge.requirements;
    first ??= payTo;
    if (payTo.toLowerCase() !== first.toLowerCase())
      throw new UnacceptableChallengeError(
        `The service asks to pay ${payTo}, and asked to pay ${first} before. If that is right, make a new client.`,
      );
  };
}
