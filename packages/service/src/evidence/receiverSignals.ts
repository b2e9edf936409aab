import { createHmac } from "node:crypto";
import type { Database } from "../store/database.js";

/** One installation that asked for a reference. */
export interface ReceiverSignal {
  readonly artifactId: string;
  /** Opaque, chosen by the receiver; it is hashed before it goes anywhere. */
  readonly installation: string;
  readonly channel: string;
}

/** Counts receivers of references, each installation once per artifact and day. */
export type CountReceiver = (signal: ReceiverSignal, now?: Date) => Promise<void>;

export function createReceiverCount(database: Database, secret: Buffer): CountReceiver {
  return async ({ artifactId, installation, channel }, now = new Date()) => {
    const day = now.toISOString().slice(0, 10);
    const hash = createHmac("sha256", secret)
      .update(JSON.stringify([artifactId, day, installation]))
      .digest();
    await database.query({
      name: "evidence_receiver_count",
      text: `WITH first AS (
               INSERT INTO evidence_receivers (artifact_id, day, receiver_hash) VALUES ($1, $2, $3)
               ON CONFLICT DO NOTHING RETURNING artifact_id, day)
             INSERT INTO evidence_receiver_counts AS c (artifact_id, day, channel, receivers)
             SELECT artifact_id, day, $4, 1 FROM first
             ON CONFLICT (artifact_id, day, channel) DO UPDATE SET receivers = c.receivers + 1`,
      values: [artifactId, day, hash, channel],
    });
  };
}

const MAX_COUNTS = 10_000;

/**
 * Hashes are needed to count a day's receivers once; after that day they are deleted, with one day to spare for clocks. Of the
 * counts of days that are over the largest stay: anybody may name any number of channels.
 */
export async function deleteOldReceivers(database: Database, maxCounts = MAX_COUNTS): Promise<void> {
  const isOver = "day < (now() AT TIME ZONE 'UTC')::date - 1";
  await database.query({ text: `DELETE FROM evidence_receivers WHERE ${isOver}` });
  await database.query({
    text: `DELETE FROM evidence_receiver_counts WHERE (artifact_id, day, channel) IN (
             SELECT artifact_id, day, channel FROM evidence_receiver_counts WHERE ${isOver}
             ORDER BY receivers DESC, day DESC, artifact_id, channel OFFSET $1)`,
    values: [maxCounts],
  });
}
