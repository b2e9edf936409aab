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
  const found =
    kind === undefined
      ? await readLeaves(db, listPlaces(start, end))
      : await readLeavesOfKind(db, start, end, kind);
  const entries = describeNewest(found, limit);
  const last = entries.length === limit && found.size > limit ? (entries.at(-1) as LogEntry).index : start;
  return { size, entries, next: last > 0 ? last : null };
}

/** The entries with these places, the newest first; places that the log does not have are left out. */
export async function pickEntries(db: Queryable, indices: readonly number[]): Promise<LogEntries> {
  const size = await getLogSize(db);
  const wanted = [...new Set(indices)].filter((index) => index < size);
  return { size, entries: describeNewest(await readLeaves(db, wanted), wanted.length), next: null };
}

const listPlaces = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, place) => start + place);

type Leaves = ReadonlyMap<number, Buffer>;

/** A leaf is parsed and hashed only where it is shown. */
const describeNewest = (leaves: Leaves, limit: number): LogEntry[] =>
  [...leaves]
    .sort(([a], [b]) => b - a)
    .slice(0, limit)
    .map(([index, leaf]) => describeLeaf(index, leaf));

interface LeafRow {
  leaf_index: bigint;
  leaf: Buffer;
}

const byPlace = (rows: readonly LeafRow[]): Map<number, Buffer> =>
  new Map(rows.map(({ leaf_index, leaf }) => [Number(leaf_index), leaf]));

async function readLeaves(db: Queryable, places: readonly number[]): Promise<Leaves> {
  if (places.length === 0) return new Map();
  const leaves = byPlace(
    await db.query<LeafRow>({
      name: "log_entries",
      text: "SELECT leaf_index, leaf FROM log_leaves WHERE leaf_index = ANY($1::bigint[])",
      values: [places],
    }),
  );
  const missing = places.filter((index) => !leaves.has(index));
  const tiles = await readTiles(db, [...new Set(missing.map((index) => Math.floor(index / TILE_LEAVES)))]);
  for (const index of missing) {
    const leaf = tiles.get(Math.floor(index / TILE_LEAVES))?.[index % TILE_LEAVES];
    if (leaf) leaves.set(index, leaf);
  }
  return leaves;
}

/** Rows first: a tile that is packed meanwhile has them too. */
async function readLeavesOfKind(db: Queryable, start: number, end: number, kind: string): Promise<Leaves> {
  const leaves = byPlace(
    await db.query<LeafRow>({
      name: "log_entries_of_kind",
      text: "SELECT leaf_index, leaf FROM log_leaves WHERE leaf_index >= $1 AND leaf_index < $2 AND kind = $3",
      values: [start, end, kind],
    }),
  );
  const tiles = await readTiles(
    db,
    listPlaces(Math.floor(start / TILE_LEAVES), Math.ceil(end / TILE_LEAVES)),
  );
  const named = `"kind":${JSON.stringify(kind)}`;
  for (const [tile, all] of tiles)
    for (const [place, leaf] of all.entries()) {
      const index = tile * TILE_LEAVES + place;
      if (index < start || index >= end || !leaf.includes(named)) continue;
      if (kindOf(leaf) === kind) leaves.set(index, leaf);
    }
  return leaves;
}

const leafSchema = z.object({ kind: z.string() });

const kindOf = (leaf: Buffer): string => leafSchema.parse(JSON.parse(leaf.toString("utf8"))).kind;

function describeLeaf(index: number, bytes: Buffer): LogEntry {
  const kind = kindOf(bytes);
  const leaf = PUBLIC_KINDS.has(kind) ? bytes.toString("utf8") : null;
  return { index, kind, leafHash: leafHashOf(bytes) as Hex, leaf };
}
