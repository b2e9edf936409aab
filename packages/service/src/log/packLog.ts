import type { Database, Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import { packLeaves, rootOfTile, TILE_LEAVES, TILE_LEVEL, unpackLeaves } from "./logTiles.js";

/** Until a leaf is packed: what is new is asked for most. */
export const PACKED_AFTER_SECONDS = 3600;
/** Tiles of one run: it may have much to catch up with and must not keep the process from its other work. */
const TILES_PER_RUN = 500;

/**
 * Moves leaves that were signed long ago into tiles, from the left. What the log serves stays the same, byte for byte: the
 * leaves are packed as they are, and the nodes below a tile's root are computed from them. Returns how many tiles it made.
 */
export async function packLog(database: Database, afterSeconds = PACKED_AFTER_SECONDS): Promise<number> {
  let packed = 0;
  while (packed < TILES_PER_RUN && (await database.transaction((tx) => packTile(tx, afterSeconds))))
    packed += 1;
  return packed;
}

async function packTile(tx: Transaction, afterSeconds: number): Promise<boolean> {
  // Another process that packs now holds the row.
  const [state] = await tx.query<{ tiles: bigint; signed: bigint | null }>({
    name: "log_packing",
    text: `SELECT tiles, (SELECT size FROM log_checkpoints WHERE created_at <= now() - $1 * interval '1 second'
             ORDER BY size DESC LIMIT 1) AS signed
           FROM log_packing WHERE (SELECT fault FROM log_audit) IS NULL FOR UPDATE SKIP LOCKED`,
    values: [afterSeconds],
  });
  if (!state) return false;
  const tile = Number(state.tiles);
  const [from, to] = [tile * TILE_LEAVES, (tile + 1) * TILE_LEAVES];
  if (to > Number(state.signed ?? 0)) return false;
  const [rows, [root]] = await inOrder(tx, [
    (tx) =>
      tx.query<{ leaf: Buffer }>({
        name: "log_tile_leaves",
        text: "SELECT leaf FROM log_leaves WHERE leaf_index >= $1 AND leaf_index < $2 ORDER BY leaf_index",
        values: [from, to],
      }),
    (tx) =>
      tx.query<{ hash: Buffer }>({
        name: "log_packed_root",
        text: "SELECT hash FROM log_nodes WHERE level = $1 AND position = $2",
        values: [TILE_LEVEL, tile],
      }),
  ]);
  const leaves = packLeaves(rows.map(({ leaf }) => leaf));
  // Nothing is taken apart that does not fit together; the audit says what is wrong with it.
  if (rows.length !== TILE_LEAVES || !root?.hash.equals(rootOfTile(unpackLeaves(leaves)))) return false;
  await inOrder(tx, [
    (tx) =>
      tx.query({
        name: "log_tile_insert",
        text: "INSERT INTO log_tiles (tile, leaves) VALUES ($1, $2)",
        values: [tile, leaves],
      }),
    (tx) =>
      tx.query({
        name: "log_tile_leaves_delete",
        text: "DELETE FROM log_leaves WHERE leaf_index >= $1 AND leaf_index < $2",
        values: [from, to],
      }),
    (tx) =>
      tx.query({
        name: "log_tile_nodes_delete",
        text: `DELETE FROM log_nodes n USING generate_series(0, $2::int - 1) AS below
               WHERE n.level = below AND n.position >= $1::bigint << ($2::int - below)
                 AND n.position < ($1::bigint + 1) << ($2::int - below)`,
        values: [tile, TILE_LEVEL],
      }),
    (tx) =>
      tx.query({
        name: "log_packing_move",
        text: "UPDATE log_packing SET tiles = $1 + 1",
        values: [tile],
      }),
  ]);
  return true;
}
