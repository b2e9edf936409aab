import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packageFolder } from "../base/packageFolder.js";
import type { Database, Queryable } from "./database.js";

const MIGRATIONS = fileURLToPath(new URL("migrations/", packageFolder));
/** Any fixed number; every process of a deployment takes the same lock. */
const LOCK_KEY = 8453_0001;

/**
 * Applies the numbered SQL files that this database has not seen, in order, all in one
 * transaction under a lock, so that processes starting together wait instead of colliding.
 */
export const migrate = (database: Database): Promise<string[]> =>
  database.transaction((tx) => migrateIn(tx, () => true));

/** The same inside a transaction of the caller's, and only those files that it wants. */
export async function migrateIn(tx: Queryable, wants: (name: string) => boolean): Promise<string[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  await tx.query({ text: "SELECT pg_advisory_xact_lock($1)", values: [LOCK_KEY] });
  await tx.query({
    text: "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
  });
  const applied: string[] = [];
  for (const name of names) if (wants(name) && (await apply(tx, name))) applied.push(name);
  return applied;
}

async function apply(tx: Queryable, name: string): Promise<boolean> {
  const text = await readFile(`${MIGRATIONS}${name}`, "utf8");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const [known] = await tx.query<{ sha256: string }>({
    text: "SELECT sha256 FROM migrations WHERE name = $1",
    values: [name],
  });
  if (known && known.sha256 !== sha256) {
    throw new Error(`Migration ${name} was changed after it was applied; write a new one instead.`);
  }
  if (known) return false;
  await tx.query({ text });
  await tx.query({ text: "INSERT INTO migrations (name, sha256) VALUES ($1, $2)", values: [name, sha256] });
  return true;
}
