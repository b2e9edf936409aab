import {
  type Hex,
  type KeyEndorsement,
  keyEndorsementTypedData,
  type ServiceDescription,
} from "@assay/protocol";
import { recoverTypedDataAddress } from "viem";

/** The keys that a pinned one leads to. */
export interface FollowedKeys {
  /** In lower case, the pinned one among them. */
  readonly signers: ReadonlySet<string>;
  /** Ed25519 keys in base64 that these signers named for a log of that name. */
  hasLogKey(publicKey: string, origin: string): boolean;
}

/** A service that rotates its keys every month is followed for some years. */
const MAX_ENDORSEMENTS = 100;

/**
 * Follows statements in which a key and its successor name each other, from a key that the caller knows, in both directions. A
 * statement counts only with the signatures of both, so a service cannot lead to a key that the pinned one has not named.
 */
export async function followKeys(
  pinned: Hex,
  endorsements: readonly KeyEndorsement[] = [],
): Promise<FollowedKeys> {
  const checked = await Promise.all(endorsements.slice(-MAX_ENDORSEMENTS).map(isSignedByBoth));
  const links = endorsements.slice(-MAX_ENDORSEMENTS).filter((_, i) => checked[i]);
  const signers = new Set([pinned.toLowerCase()]);
  for (let known = 0; known < signers.size; ) {
    known = signers.size;
    for (const { previousSigner, signer } of links) {
      const ends = [previousSigner.toLowerCase(), signer.toLowerCase()];
      if (ends.some((end) => signers.has(end))) for (const end of ends) signers.add(end);
    }
  }
  const named = links.filter(({ signer }) => signers.has(signer.toLowerCase()));
  return {
    signers,
    hasLogKey: (publicKey, origin) =>
      named.some(({ logKey, logOrigin }) => logKey === publicKey && logOrigin === origin),
  };
}

async function isSignedByBoth(endorsement: KeyEndorsement): Promise<boolean> {
  const typedData = keyEndorsementTypedData(endorsement);
  const isBy = async (address: Hex, signature: Hex) => {
    const recovered = await recoverTypedDataAddress({ ...typedData, signature }).catch(() => undefined);
    return recovered?.toLowerCase() === address.toLowerCase();
  };
  return (
    (await isBy(endorsement.previousSigner, endorsement.previousSignature)) &&
    (await isBy(endorsement.signer, endorsement.signature))
  );
}

/** `stated` where a pinned key leads to it, otherwise the pinned one. */
export type FollowSigner = (pinned: Hex, stated: string) => Promise<Hex>;

/** A service that is asked too often for its keys would be asked by every answer of a forger. */
const REUSE_MS = 60_000;

/** Asks the service for its statements only when something was signed by another key than the pinned one. */
export function createSignerFollower(
  describe: () => Promise<Pick<ServiceDescription, "endorsements">>,
): FollowSigner {
  let asked: { readonly atMs: number; readonly endorsements: Promise<KeyEndorsement[]> } | undefined;
  const listEndorsements = () => {
    if (!asked || Date.now() - asked.atMs > REUSE_MS)
      asked = {
        atMs: Date.now(),
        // A service that does not answer leads nowhere.
        endorsements: describe().then(
          ({ endorsements = [] }) => endorsements,
          () => [],
        ),
      };
    return asked.endorsements;
  };
  return async (pinned, stated) => {
    if (stated.toLowerCase() === pinned.toLowerCase()) return pinned;
    const { signers } = await followKeys(pinned, await listEndorsements());
    return signers.has(stated.toLowerCase()) ? (stated as Hex) : pinned;
  };
}
