import { type Hex, type LogEntries, type LogEntry, leafHashOf } from "@assay/protocol";
import { z } from "zod";
import type { Queryable } from "../store/database.js";
import type { LeafKind } from "./appendLeaves.js";
import { readTiles, TILE_LEAVES } from "./logTiles.js";
import { getLogSize } from "./signedHeads.js";

/** Leaves that one request goes through: a few milliseconds of work. */
const MOST_READ = 8 * TILE_LEAVES;

/**
 * What these leaves state is public elsewhere as well. A receipt, a credit and a decision say what a wallet bought or did: the
 * log commits to them, and only who has the receipt can tell whose they are.
 */
const PUBLIC_KINDS: ReadonlySet<string> = new Set<LeafKind>([
  "publication",
  "claim",
  "challenge",
  "verdict",
  "restoration",
]);

interface Asked {
  /** Only entries before this one; from the newest without. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Only entries of this kind. */
  readonly kind?: string | undefined;
}

/** Entries of the log, the newest first. */
export async function listEntries(db: Queryable, { before, limit, kind }: Asked): Promise<LogEntries> {
  const size = await getLogSize(db);
  const end = Math.min(before ?? size, size);
  // Of one kind, many may have to be gone through for a few.
  const start = Math.max(0, end - (kind === undefined ? limit : MOST_READ));
  const found = (await readEntries(db, start, end)).filter(
    (entry) => kind === undefined || entry.kind === kind,
  );
  const entries = found.slice(0, limit);
  const last = entries.length === limit && found.length > limit ? (entries.at(-1) as LogEntry).index : start;
  return { size, entries, next: last > 0 ? last : null };
}

/** The entries with these places, the newest first; places that the log does not have are left out. */
export async function pickEntries(db: Queryable, indices: readonly number[]): Promise<LogEntries> {
  const size = await getLogSize(db);
  const wanted = [...new Set(indices)].filter((index) => index < size).sort((a, b) => b - a);
  const found = await Promise.all(wanted.map((index) => readEntries(db, index, index + 1)));
  return { size, entries: found.flat(), next: null };
}

async function readEntries(db: Queryable, start: number, end: number): Promise<LogEntry[]> {
  if (start >= end) return [];
  const rows = await db.query<{ leaf_index: bigint; leaf: Buffer }>({
    name: "log_entries",
    text: "SELECT leaf_index, leaf FROM log_leaves WHERE leaf_index >= $1 AND leaf_index < $2",
    values: [start, end],
  });
  const leaves = new Map(rows.map(({ leaf_index, leaf }) => [Number(leaf_index), leaf]));
  const missing = Array.from({ length: end - start }, (_, place) => start + place).filter(
    (index) => !leaves.has(index),
  );
  const tiles = await readTiles(db, [...new Set(missing.map((index) => Math.floor(index / TILE_LEAVES)))]);
  for (const index of missing) {
    const leaf = tiles.get(Math.floor(index / TILE_LEAVES))?.[index % TILE_LEAVES];
    if (leaf) leaves.set(index, leaf);
  }
  return [...leaves].sort(([a], [b]) => b - a).map(([index, leaf]) => describeLeaf(index, leaf));
}

const leafSchema = z.object({ kind: z.string() });

function describeLeaf(index: number, bytes: Buffer): LogEntry {
  const text = bytes.toString("utf8");
  const { kind } = leafSchema.parse(JSON.parse(text));
  return { index, kind, leafHash: leafHashOf(bytes) as Hex, leaf: PUBLIC_KINDS.has(kind) ? text : null };
}
