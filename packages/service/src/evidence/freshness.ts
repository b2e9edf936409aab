import type { ArtifactRecord } from "@assay/capabilities";
import { z } from "zod";
import type { Database, Queryable } from "../store/database.js";
import { listFreshArtifacts } from "./artifacts.js";
import { FINGERPRINT_TTL_MS, listFreshFingerprintAddresses } from "./fingerprints.js";

/** Notifications on it carry a `FreshnessMessage`. */
export const FRESHNESS_CHANNEL = "assay_fresh";
const MAX_ENTRIES = 50_000;

const messageSchema = z.strictObject({
  inputHash: z.string(),
  fromBlock: z.int(),
  validUntilBlock: z.int(),
  freshUntilMs: z.number(),
  fingerprintOf: z.string().nullable(),
});
export type FreshnessMessage = z.infer<typeof messageSchema>;

/**
 * What is known to be fresh, in memory, so that an unpaid challenge costs no query. It may lag
 * or forget: a wrong guess only offers another listed price, and the ticket binds that price.
 */
export interface Freshness {
  hasAnswer(inputHash: string, headBlock: number): boolean;
  hasFingerprint(address: string): boolean;
  learn(message: FreshnessMessage): void;
}

export function createFreshness(): Freshness {
  const answers = new Map<string, { fromBlock: number; validUntilBlock: number; freshUntilMs: number }>();
  const fingerprints = new Map<string, number>();
  const remember = <V>(map: Map<string, V>, key: string, value: V) => {
    map.delete(key);
    map.set(key, value);
    if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value as string);
  };
  return {
    hasAnswer(inputHash, headBlock) {
      const known = answers.get(inputHash);
      return (
        known !== undefined &&
        known.fromBlock <= headBlock &&
        headBlock <= known.validUntilBlock &&
        Date.now() < known.freshUntilMs
      );
    },
    hasFingerprint: (address) => (fingerprints.get(address) ?? 0) > Date.now(),
    learn({ inputHash, fromBlock, validUntilBlock, freshUntilMs, fingerprintOf }) {
      remember(answers, inputHash, { fromBlock, validUntilBlock, freshUntilMs });
      if (fingerprintOf) remember(fingerprints, fingerprintOf, Date.now() + FINGERPRINT_TTL_MS);
    },
  };
}

/** News of a fingerprint without an answer. */
export const fingerprintNews = (address: string): FreshnessMessage => ({
  inputHash: "",
  fromBlock: 0,
  validUntilBlock: 0,
  freshUntilMs: 0,
  fingerprintOf: address,
});

/** Notifies every process, once the surrounding transaction commits. */
export async function announceFingerprint(tx: Queryable, address: string): Promise<void> {
  await tx.query({
    text: "SELECT pg_notify($1, $2)",
    values: [FRESHNESS_CHANNEL, JSON.stringify(fingerprintNews(address))],
  });
}

export function freshnessOf(artifact: ArtifactRecord, fingerprintOf: string | null): FreshnessMessage {
  return {
    inputHash: artifact.inputHash,
    fromBlock: artifact.block.number,
    validUntilBlock: artifact.validUntilBlock,
    freshUntilMs: artifact.freshUntilMs,
    fingerprintOf,
  };
}

/** Anyone with access to the database can notify; messages of another shape are ignored. */
function parseMessage(payload: string): FreshnessMessage | undefined {
  try {
    return messageSchema.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}

/** Fills the memory from the database, then follows what the processes announce. */
export async function followFreshness(database: Database, freshness: Freshness): Promise<void> {
  await database.listen(FRESHNESS_CHANNEL, (payload) => {
    const message = parseMessage(payload);
    if (message) freshness.learn(message);
  });
  for (const { address } of await listFreshFingerprintAddresses(database, MAX_ENTRIES)) {
    freshness.learn(fingerprintNews(address));
  }
  for (const artifact of await listFreshArtifacts(database, MAX_ENTRIES))
    freshness.learn(freshnessOf(artifact, null));
}
