import type { Chain } from "@assay/chain";
import { CHAIN_ID } from "@assay/protocol";
import { z } from "zod";
import type { Database } from "../store/database.js";
import { ConfigError } from "./config.js";

/** Early, and different between two local chains that share a genesis. */
const ANCHOR_BLOCK = 1;

/** Binds a new database to its chain; refuses a database that belongs to another one. */
export async function verifyChainIdentity(database: Database, chain: Chain): Promise<void> {
  const block = z
    .object({ hash: z.string() })
    .parse(await chain.request("eth_getBlockByNumber", [`0x${ANCHOR_BLOCK.toString(16)}`, false]));
  await database.query({
    text: `INSERT INTO chain_identity (chain_id, anchor_block, anchor_hash) VALUES ($1, $2, $3)
           ON CONFLICT (only_row) DO NOTHING`,
    values: [CHAIN_ID, ANCHOR_BLOCK, block.hash],
  });
  // A statement of its own: one that waited for another process's insert would not see the row it waited for.
  const [stored] = await database.query<{ chain_id: bigint; anchor_block: bigint; anchor_hash: string }>({
    text: "SELECT chain_id, anchor_block, anchor_hash FROM chain_identity",
  });
  if (stored?.chain_id === BigInt(CHAIN_ID) && stored.anchor_hash === block.hash) return;
  throw new ConfigError(
    `DATABASE_URL belongs to another chain (its block ${stored?.anchor_block} is ${stored?.anchor_hash}, the node's is ${block.hash}); use the database of this chain or a new one.`,
  );
}
