import type { Hex, ServiceDescription } from "@assay/protocol";
import type { Saved } from "../readSaved.js";

interface Keys {
  readonly signer?: Hex | undefined;
  readonly logKey?: string | undefined;
}

/**
 * The keys that a saved answer must be signed with. The service that is named is asked where the given keys are not those of the file: a
 * given key is followed by its statements, and without a given key its own word counts, for its former keys too.
 */
export async function findExpectedKeys(
  saved: Saved | undefined,
  given: Keys,
  describe: (() => Promise<ServiceDescription>) | undefined,
): Promise<Keys> {
  if (!describe || !saved || areOf(saved, given)) return given;
  const stated = await describe().catch((error) => {
    // Keys that nobody leads on from are compared as they are.
    if (given.signer) return undefined;
    throw error;
  });
  if (!stated) return given;
  const receiptLog = saved.receipt?.log ?? undefined;
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

/** Whether the given keys are those that the file names, so that no statement can change which are expected. */
const areOf = ({ result, receipt }: Saved, { signer, logKey }: Keys): boolean =>
  signer !== undefined &&
  signer.toLowerCase() === result.evidenceReference.signer.toLowerCase() &&
  (logKey === undefined || logKey === receipt?.log?.publicKey);
