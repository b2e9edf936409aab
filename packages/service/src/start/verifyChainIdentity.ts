import type { Chain } from "@assay/chain";
import { CHAIN_ID, type Hex } from "@assay/protocol";
import { z } from "zod";
import type { Database } from "../store/database.js";
import { ConfigError } from "./configError.js";

/** Early, and different between two local chains that share a genesis. */
const ANCHOR_BLOCK = 1;

const readAnchor = async (chain: Chain): Promise<string> =>
  z
    .object({ hash: z.string() })
    .parse(await chain.request("eth_getBlockByNumber", [`0x${ANCHOR_BLOCK.toString(16)}`, false])).hash;

/** Binds a new database to its chain; refuses a database that belongs to another one. */
export async function verifyChainIdentity(database: Database, chain: Chain): Promise<void> {
  const hash = await readAnchor(chain);
  await database.query({
    text: `INSERT INTO chain_identity (chain_id, anchor_block, anchor_hash) VALUES ($1, $2, $3)
           ON CONFLICT (only_row) DO NOTHING`,
    values: [CHAIN_ID, ANCHOR_BLOCK, hash],
  });
  await compareChain(database, hash);
}

/** The same question of a database that may be new, and nothing is written. */
export async function checkChainIdentity(database: Database, chain: Chain): Promise<void> {
  await compareChain(database, await readAnchor(chain));
}

async function compareChain(database: Database, hash: string): Promise<void> {
  // A statement of its own: one that waited for another process's insert would not see the row it waited for.
  const [stored] = await database.query<{ chain_id: bigint; anchor_block: bigint; anchor_hash: string }>({
    text: "SELECT chain_id, anchor_block, anchor_hash FROM chain_identity",
  });
  if (stored === undefined || (stored.chain_id === BigInt(CHAIN_ID) && stored.anchor_hash === hash)) return;
  throw new ConfigError(
    `DATABASE_URL belongs to another chain (its block ${stored.anchor_block} is ${stored.anchor_hash}, the node's is ${hash}); use the database of this chain or a new one.`,
  );
}

/**
 * Binds a new database to the account that takes its payments; refuses another one. Processes that disagree about the account
 * would look for each other's payments in the wrong place.
 */
export async function verifyPayTo(database: Database, payTo: Hex): Promise<void> {
  const ours = payTo.toLowerCase();
  await database.query({
    text: "UPDATE chain_identity SET pay_to = $1 WHERE pay_to IS NULL",
    values: [ours],
  });
  const [stored] = await database.query<{ pay_to: string }>({ text: "SELECT pay_to FROM chain_identity" });
  if (stored?.pay_to === ours) return;
  throw new ConfigError(
    `PAY_TO is ${payTo}, but the payments of this database go to ${stored?.pay_to}. Start with that account. To change it, stop every process and run assay-admin pay-to ${payTo}.`,
  );
}

/** Changes the account that takes the payments, once no payment to the former one is open. */
export async function changePayTo(database: Database, payTo: Hex): Promise<void> {
  const changed = await database.query({
    text: `UPDATE chain_identity SET pay_to = $1 WHERE NOT EXISTS (
             SELECT 1 FROM invocations WHERE state IN ('reserved', 'settling', 'unknown') AND pay_to <> $1)
           RETURNING pay_to`,
    values: [payTo.toLowerCase()],
  });
  if (changed.length === 0)
    throw new ConfigError(
      "Payments to the former account are still open, or the database is new. Let the service end them first.",
    );
}
