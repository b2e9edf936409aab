import { blockNumberSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";

/** Rewards are asked at these percentiles of each block's gas: slow, standard, fast. */
export const FEE_PERCENTILES = [10, 50, 90] as const;
export const FEE_HISTORY_BLOCKS = 20;

const wei = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");

/** Everything chain.snapshot is judged from, as plain JSON. */
export const chainSnapshotReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds. */
    timestamp: z.int().min(0),
    baseFeePerGas: wei.nullable(),
  }),
  /** The reader's clock when it asked: the age of the block is part of the answer. */
  observedAtMs: z.int().min(0),
  feeHistory: readingSchema(
    z.strictObject({
      oldestBlock: blockNumberSchema,
      baseFeePerGas: z.array(wei).max(1025),
      gasUsedRatio: z.array(z.number()).max(1024),
      reward: z.array(z.array(wei).max(100)).max(1024),
    }),
  ),
});

export type ChainSnapshotReadings = z.output<typeof chainSnapshotReadingsSchema>;
