import type { ArtifactRecord } from "@assay/capabilities";
import { z } from "zod";
import type { Database } from "../store/database.js";
import { listFreshArtifacts } from "./artifacts.js";
import { FINGERPRINT_TTL_MS } from "./fingerprints.js";
import { listPaidParts, type PaidPart } from "./longLivedParts.js";

/** Notifications on it carry a `FreshnessMessage`. */
export const FRESHNESS_CHANNEL = "assay_fresh";
const MAX_ENTRIES = 50_000;

const messageSchema = z.strictObject({
  inputHash: z.string(),
  fromBlock: z.int(),
  validUntilBlock: z.int(),
  freshUntilMs: z.number(),
  /** Whose fingerprint the answer has paid for; null where it rests on none. */
  paidPart: z.strictObject({ capabilityId: z.string(), address: z.string() }).nullable(),
});
export type FreshnessMessage = z.infer<typeof messageSchema>;

/**
 * What is known to be fresh, in memory, so that an unpaid challenge costs no query. It may lag
 * or forget: a wrong guess only offers another listed price, and the ticket binds that price.
 */
export interface Freshness {
  hasAnswer(inputHash: string, headBlock: number): boolean;
  /** When the answer that is fresh now ends by the clock; undefined where there is none. */
  findAnswerEnd(inputHash: string, headBlock: number): number | undefined;
  /** Whether the fingerprint of this address was part of a paid answer of one of these capabilities. */
  hasPaidPart(address: string, capabilityIds: readonly string[]): boolean;
  learn(message: FreshnessMessage): void;
  learnPart(part: PaidPart, untilMs: number): void;
  /** The database knows better: the next challenge does not offer the price of an answer, or of a part, that is gone. */
  forget(inputHash: string, address: string | undefined): void;
}

export function createFreshness(): Freshness {
  const answers = new Map<string, { fromBlock: number; validUntilBlock: number; freshUntilMs: number }>();
  /** By address, then by capability. */
  const parts = new Map<string, Map<string, number>>();
  const remember = <V>(map: Map<string, V>, key: string, value: V) => {
    map.delete(key);
    map.set(key, value);
    if (map.size > MAX_ENTRIES) map.delete(map.keys().next().value as string);
  };
  function findAnswerEnd(inputHash: string, headBlock: number): number | undefined {
    const known = answers.get(inputHash);
    if (!known || headBlock < known.fromBlock || known.validUntilBlock < headBlock) return undefined;
    return Date.now() < known.freshUntilMs ? known.freshUntilMs : undefined;
  }
  function learnPart({ address, capabilityId }: PaidPart, untilMs: number): void {
    remember(parts, address, (parts.get(address) ?? new Map()).set(capabilityId, untilMs));
  }
  return {
    hasAnswer: (inputHash, headBlock) => findAnswerEnd(inputHash, headBlock) !== undefined,
    findAnswerEnd,
    hasPaidPart(address, capabilityIds) {
      const paid = parts.get(address);
      return paid !== undefined && capabilityIds.some((id) => (paid.get(id) ?? 0) > Date.now());
    },
    learn({ inputHash, fromBlock, validUntilBlock, freshUntilMs, paidPart }) {
      remember(answers, inputHash, { fromBlock, validUntilBlock, freshUntilMs });
      if (paidPart) learnPart(paidPart, Date.now() + FINGERPRINT_TTL_MS);
    },
    learnPart,
    forget(inputHash, address) {
      answers.delete(inputHash);
      if (address !== undefined) parts.delete(address);
    },
  };
}

export function freshnessOf(artifact: ArtifactRecord, fingerprintOf: string | null): FreshnessMessage {
  const { capabilityId } = artifact;
  return {
    inputHash: artifact.inputHash,
    fromBlock: artifact.block.number,
    validUntilBlock: artifact.validUntilBlock,
    freshUntilMs: artifact.freshUntilMs,
    paidPart: fingerprintOf === null ? null : { capabilityId, address: fingerprintOf },
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
  for (const { untilMs, ...part } of await listPaidParts(database, MAX_ENTRIES))
    freshness.learnPart(part, untilMs);
  for (const artifact of await listFreshArtifacts(database, MAX_ENTRIES))
    freshness.learn(freshnessOf(artifact, null));
}
