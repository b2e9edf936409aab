import { CHAIN_ID } from "@assay/protocol";
import { z } from "zod";
import type { Chain } from "./chain/types.js";
import { ConfigError } from "./config.js";
import type { Database } from "./store/database.js";

/** Early, and different between two local chains that share a genesis. */
const ANCHOR_BLOCK = 1;

/** Binds a new database to its chain; refuses a database that belongs to another one. */
export async function checkChainIdentity(database: Database, chain: Chain): Promise<void> {
  const block = z
    .object({ hash: z.string() })
    .parse(await chain.request("eth_getBlockByNumber", [`0x${ANCHOR_BLOCK.toString(16)}`, false]));
  const [stored] = await database.query<{ chain_id: bigint; anchor_block: bigint; anchor_hash: string }>({
    text: `WITH written AS (
             INSERT INTO chain_identity (chain_id, anchor_block, anchor_hash) VALUES ($1, $2, $3)
             ON CONFLICT (only_row) DO NOTHING RETURNING chain_id, anchor_block, anchor_hash)
           SELECT * FROM written UNION ALL SELECT chain_id, anchor_block, anchor_hash FROM chain_identity LIMIT 1`,
    values: [CHAIN_ID, ANCHOR_BLOCK, block.hash],
  });
  if (stored?.chain_id === BigInt(CHAIN_ID) && stored.anchor_hash === block.hash) return;
  throw new ConfigError(
    `DATABASE_URL belongs to another chain (its block ${stored?.anchor_block} is ${stored?.anchor_hash}, the node's is ${block.hash}); use the database of this chain or a new one.`,
  );
}
