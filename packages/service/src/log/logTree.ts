import { EMPTY_ROOT, type Hex, nodeHashOf } from "@assay/protocol";
import type { Queryable } from "../store/database.js";
import { LogFault } from "./logFault.js";
import { hashTile, readTiles, TILE_LEVEL } from "./logTiles.js";

/** A complete subtree: `position` counts the subtrees of 2^level leaves from the left. */
interface NodeKey {
  readonly level: number;
  readonly position: number;
}

/** Leaves from the first to before the second. */
type Range = readonly [number, number];

/** The complete subtrees that make up a range, from the left. A range begins at a multiple of its largest one. */
function coverOf([from, to]: Range): NodeKey[] {
  const cover: NodeKey[] = [];
  for (let start = from; start < to; ) {
    let level = 0;
    while (start % 2 ** (level + 1) === 0 && start + 2 ** (level + 1) <= to) level += 1;
    cover.push({ level, position: start / 2 ** level });
    start += 2 ** level;
  }
  return cover;
}

/** The largest power of two below `count`. */
function splitOf(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** Ranges whose hashes form the audit path of one leaf (RFC 6962 section 2.1.1), nearest first. */
function pathRanges(index: number, [from, to]: Range): Range[] {
  if (to - from <= 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle
    ? [...pathRanges(index, [from, middle]), [middle, to]]
    : [...pathRanges(index, [middle, to]), [from, middle]];
}

/** Ranges whose hashes prove that a tree begins with its first `size` leaves (RFC 6962 section 2.1.2). */
function consistencyRanges(size: number, [from, to]: Range, isWhole: boolean): Range[] {
  if (size === to - from) return isWhole ? [] : [[from, to]];
  const split = splitOf(to - from);
  const middle = from + split;
  return size <= split
    ? [...consistencyRanges(size, [from, middle], isWhole), [middle, to]]
    : [...consistencyRanges(size - split, [middle, to], false), [from, middle]];
}

/** Hashes of several ranges, with one query for all the nodes they need. */
async function hashRanges(db: Queryable, ranges: readonly Range[]): Promise<Hex[]> {
  if (ranges.length === 0) return [];
  const covers = ranges.map(coverOf);
  const keys = covers.flat();
  const rows = await db.query<{ hash: Buffer | null }>({
    name: "log_nodes",
    text: `SELECT (SELECT hash FROM log_nodes n WHERE n.level = wanted.level AND n.position = wanted.position) AS hash
           FROM unnest($1::smallint[], $2::bigint[]) WITH ORDINALITY AS wanted (level, position, place)
           ORDER BY place`,
    values: [keys.map(({ level }) => level), keys.map(({ position }) => position)],
  });
  const inTiles = await hashInTiles(
    db,
    keys.filter((_, place) => !rows[place]?.hash),
  );
  let next = 0;
  return covers.map((cover) =>
    cover
      .map(({ level, position }): Hex => {
        const hash = rows[next++]?.hash ?? inTiles(level, position);
        if (!hash) throw new LogFault(`node ${position} of level ${level} is lost`);
        return `0x${hash.toString("hex")}`;
      })
      .reduceRight((right, left) => nodeHashOf(left, right)),
  );
}

/** Nodes of tiles have no rows: they are computed from the tiles' leaves. */
async function hashInTiles(
  db: Queryable,
  lost: readonly NodeKey[],
): Promise<(level: number, position: number) => Buffer | undefined> {
  const tileOf = (level: number, position: number) => Math.floor(position / 2 ** (TILE_LEVEL - level));
  const inside = lost.filter(({ level }) => level < TILE_LEVEL);
  const tiles = await readTiles(db, [
    ...new Set(inside.map(({ level, position }) => tileOf(level, position))),
  ]);
  const nodes = new Map([...tiles].map(([tile, leaves]) => [tile, hashTile(leaves)]));
  return (level, position) => {
    if (level >= TILE_LEVEL) return undefined;
    return nodes.get(tileOf(level, position))?.[level]?.[position % 2 ** (TILE_LEVEL - level)];
  };
}

/** Root of the tree of the first `size` leaves. */
export async function getLogRoot(db: Queryable, size: number): Promise<Hex> {
  const [root] = await hashRanges(db, size === 0 ? [] : [[0, size]]);
  return root ?? EMPTY_ROOT;
}

/** Hash of the leaf at `index`, and its audit path in the tree of `size` leaves. */
export async function getInclusionPath(
  db: Queryable,
  index: number,
  size: number,
): Promise<{ leafHash: Hex; path: Hex[] }> {
  const [leafHash, ...path] = await hashRanges(db, [[index, index + 1], ...pathRanges(index, [0, size])]);
  return { leafHash: leafHash as Hex, path };
}

export function getConsistencyPath(db: Queryable, first: number, second: number): Promise<Hex[]> {
  return hashRanges(db, first === 0 ? [] : consistencyRanges(first, [0, second], true));
}
