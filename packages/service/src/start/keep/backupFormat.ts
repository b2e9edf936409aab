import { createHash, type Hash } from "node:crypto";
import { z } from "zod";
import { ConfigError } from "../configError.js";

// A backup is gzip around text: a line of JSON that says what it is, each table as a line of JSON with its rows as COPY writes
// them up to a line `\.`, and a line of JSON with the count and the hash of each table and of everything before it.

export const FORMAT = "assay-backup";
export const FORMAT_VERSION = 1;
/** Ends the rows of a table; a row that says the same has its backslash doubled. */
export const END_OF_ROWS = "\\.";

export const headerSchema = z.object({
  format: z.literal(FORMAT, { error: "is not a backup of this service" }),
  version: z.literal(FORMAT_VERSION, { error: "was written by another version" }),
  /** No later than the moment whose state it holds. */
  takenAt: z.iso.datetime(),
  chain: z
    .object({ chainId: z.int(), anchorBlock: z.int(), anchorHash: z.string(), payTo: z.string().nullable() })
    .nullable(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  log: z.object({ id: z.string(), size: z.int(), root: z.string(), checkpoint: z.string().nullable() }),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});
export type BackupHeader = z.output<typeof headerSchema>;

const countSchema = z.object({ rows: z.int(), sha256: z.string() });
export const footerSchema = z.object({
  tables: z.record(z.string(), countSchema),
  /** Over every byte before this line. */
  sha256: z.string(),
});
export type BackupFooter = z.output<typeof footerSchema>;
export type TableCount = z.output<typeof countSchema>;

/** Counts lines and hashes them, as they go by. */
export function createCount(): { readonly hash: Hash; add(chunk: Buffer): void; result(): TableCount } {
  const hash = createHash("sha256");
  let rows = 0;
  return {
    hash,
    add(chunk) {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
    },
    result: () => ({ rows, sha256: hash.digest("hex") }),
  };
}

/** Throws with what is wrong with the file. */
export function parseLine<Schema extends z.ZodType>(schema: Schema, line: Buffer): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line.toString()));
  } catch (error) {
    const why = error instanceof z.ZodError ? (error.issues[0]?.message ?? "is damaged") : "is damaged";
    throw new ConfigError(`The file ${why}; nothing of it is used.`);
  }
}
