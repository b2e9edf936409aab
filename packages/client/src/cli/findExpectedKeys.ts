import type { Hex, ServiceDescription } from "@assay/protocol";
import type { Saved } from "../readSaved.js";

interface Keys {
  readonly signer?: Hex | undefined;
  readonly logKey?: string | undefined;
}

/**
 * The keys that a saved answer must be signed with. A given key is followed by the statements of the service, where one is named; without
 * a given key, a service's own word counts, for its former keys too.
 */
export async function findExpectedKeys(
  saved: Saved | undefined,
  given: Keys,
  stated: ServiceDescription | undefined,
): Promise<Keys> {
  const receiptLog = saved?.receipt?.log ?? undefined;
  if (!stated || !saved) return given;
  const { followKeys } = await import("../followKeys.js");
  const pinned = given.signer ?? stated.signingAddress;
  const followed = await followKeys(pinned, stated.endorsements);
  const { signer } = saved.result.evidenceReference;
  const isFollowed = followed.signers.has(signer.toLowerCase());
  const logKey = given.logKey ?? (given.signer || !saved.receipt ? undefined : stated.log.publicKey);
  const isLogFollowed = receiptLog && followed.hasLogKey(receiptLog.publicKey, receiptLog.origin);
  return {
    signer: isFollowed ? (signer as Hex) : pinned,
    logKey: logKey !== undefined && isLogFollowed ? receiptLog.publicKey : logKey,
  };
}
