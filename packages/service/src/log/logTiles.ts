import { createHash } from "node:crypto";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Queryable } from "../store/database.js";
import { LogFault } from "./logFault.js";

/** Leaves that were signed long ago are kept in tiles of 2^8, one row each. */
export const TILE_LEVEL = 8;
export const TILE_LEAVES = 2 ** TILE_LEVEL;

const LENGTH_BYTES = 4;

/** The leaves' lengths, then the leaves, compressed (RFC 1951): leaves of one kind have most of their words in common. */
export function packLeaves(leaves: readonly Buffer[]): Buffer {
  const lengths = Buffer.alloc(leaves.length * LENGTH_BYTES);
  leaves.forEach((leaf, place) => void lengths.writeUInt32BE(leaf.length, place * LENGTH_BYTES));
  return deflateRawSync(Buffer.concat([lengths, ...leaves]), { level: constants.Z_BEST_COMPRESSION });
}

/** Throws where the bytes are not a whole tile. */
export function unpackLeaves(packed: Buffer): Buffer[] {
  const plain = inflateRawSync(packed);
  let start = TILE_LEAVES * LENGTH_BYTES;
  const leaves = Array.from({ length: TILE_LEAVES }, (_, place) => {
    const leaf = plain.subarray(start, start + plain.readUInt32BE(place * LENGTH_BYTES));
    start += leaf.length;
    return leaf;
  });
  if (start !== plain.length) throw new RangeError("the tile holds more or fewer bytes than its leaves");
  return leaves;
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Every node of a tile (RFC 6962 section 2.1): the hashes of its leaves first, its root last. */
export function hashTile(leaves: readonly Buffer[]): Buffer[][] {
  const levels = [leaves.map((leaf) => sha256(LEAF, leaf))];
  for (let below = levels[0] as Buffer[]; below.length > 1; levels.push(below)) {
    const children = below;
    below = Array.from({ length: children.length / 2 }, (_, place) =>
      sha256(NODE, children[2 * place] as Buffer, children[2 * place + 1] as Buffer),
    );
  }
  return levels;
}

export const rootOfTile = (leaves: readonly Buffer[]): Buffer =>
  (hashTile(leaves)[TILE_LEVEL] as Buffer[])[0] as Buffer;

/** The leaves of those tiles that exist. Throws `LogFault` where one cannot be read. */
export async function readTiles(
  db: Queryable,
  tiles: readonly number[],
): Promise<ReadonlyMap<number, Buffer[]>> {
  if (tiles.length === 0) return new Map();
  const rows = await db.query<{ tile: bigint; leaves: Buffer }>({
    name: "log_tiles",
    text: "SELECT tile, leaves FROM log_tiles WHERE tile = ANY($1::bigint[])",
    values: [tiles],
  });
  return new Map(rows.map(({ tile, leaves }) => [Number(tile), unpackOrFault(Number(tile), leaves)]));
}

function unpackOrFault(tile: number, packed: Buffer): Buffer[] {
  try {
    return unpackLeaves(packed);
  } catch {
    throw new LogFault(`tile ${tile} cannot be read`);
  }
}

/** How many tiles there are: their leaves have no rows of their own. */
export async function countTiles(db: Queryable): Promise<number> {
  const [row] = await db.query<{ tiles: bigint }>({
    name: "log_count_tiles",
    text: "SELECT tiles FROM log_packing",
  });
  if (!row) throw new LogFault("the count of tiles is lost");
  return Number(row.tiles);
}

/** The exact bytes of a leaf, wherever it is kept. */
export async function findLeaf(db: Queryable, index: number): Promise<Buffer | undefined> {
  const [row] = await db.query<{ leaf: Buffer }>({
    name: "log_leaf",
    text: "SELECT leaf FROM log_leaves WHERE leaf_index = $1",
    values: [index],
  });
  if (row) return row.leaf;
  const tile = Math.floor(index / TILE_LEAVES);
  return (await readTiles(db, [tile])).get(tile)?.[index % TILE_LEAVES];
}

/** Hashes the tiles again that hold leaves from `from` to before `to`. Throws `LogFault`. */
export async function verifyTiles(db: Queryable, from: number, to: number): Promise<void> {
  const end = Math.min(await countTiles(db), Math.ceil(to / TILE_LEAVES));
  for (let tile = Math.floor(from / TILE_LEAVES); tile < end; tile += 1) {
    const [row] = await db.query<{ hash: Buffer | null }>({
      name: "log_tile_root",
      text: "SELECT (SELECT hash FROM log_nodes WHERE level = $1 AND position = $2) AS hash",
      values: [TILE_LEVEL, tile],
    });
    const leaves = (await readTiles(db, [tile])).get(tile);
    if (!leaves || !row?.hash?.equals(rootOfTile(leaves)))
      throw new LogFault(`tile ${tile} is lost or differs from its root`);
  }
}
