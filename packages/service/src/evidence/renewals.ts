import type { Gathered, StoredArtifact } from "@assay/capabilities";

/** What was read in the place of an answer that is about to end. */
export interface Renewed {
  readonly artifact: StoredArtifact;
  readonly gathered: Gathered<unknown>;
}

/** Answers that are read anew because they are about to end. */
export interface Renewals {
  /** What another caller has just had read, if it is good for this one too; otherwise reads. */
  share(
    inputHash: string,
    isGood: (artifact: StoredArtifact) => boolean,
    read: () => Promise<Renewed>,
  ): Promise<Renewed>;
}

/** Each is needed until the first sale of it is written, a matter of seconds. */
const MAX_REMEMBERED = 100;

/**
 * Until an answer that was read anew is sold, every caller finds the one that is about to end. The first of them has it read, and the
 * others get the same.
 */
export function createRenewals(): Renewals {
  const remembered = new Map<string, Promise<Renewed>>();
  function begin(inputHash: string, read: () => Promise<Renewed>): Promise<Renewed> {
    const reading = read();
    remembered.delete(inputHash);
    remembered.set(inputHash, reading);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value as string);
    // The caller is answered with the failure; the next one has it read again.
    reading.catch(() => remembered.get(inputHash) === reading && remembered.delete(inputHash));
    return reading;
  }
  const share: Renewals["share"] = async (inputHash, isGood, read) => {
    const earlier = remembered.get(inputHash);
    if (!earlier) return begin(inputHash, read);
    const renewed = await earlier;
    if (isGood(renewed.artifact)) return renewed;
    // Of all that waited, the first begins again.
    const later = remembered.get(inputHash);
    if (later === undefined || later === earlier) return begin(inputHash, read);
    const again = await later;
    // Where a node leaves something open, each new answer lasts for its own caller alone: nobody waits for a third.
    return isGood(again.artifact) ? again : read();
  };
  return { share };
}
