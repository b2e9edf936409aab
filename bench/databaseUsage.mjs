import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { packLog } from "../packages/service/dist/src/log/packLog.js";
import { packFinalCalls } from "../packages/service/dist/src/payments/packFinalCalls.js";
import { createDatabase } from "../packages/service/dist/src/store/database.js";

/** Connects to the PostgreSQL that Assay embeds, found in its data directory. */
export async function openDatabase(dataDir) {
  // The fourth line of this file is the port.
  const port = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[3];
  const password = readFileSync(join(dataDir, "postgres.password"), "utf8").trim();
  const connectionString = `postgres://assay:${password}@127.0.0.1:${port}/postgres`;
  const client = new pg.Client(connectionString);
  await client.connect();
  return {
    /** Bytes written to the write-ahead log so far. */
    async readWalBytes() {
      const { rows } = await client.query("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes");
      return Number(rows[0].bytes);
    },
    /**
     * Bytes of all rows and index entries that exist, by table and index. Files grow by whole pages and keep the space of rows that were replaced
     * for the next ones, so their sizes say little about a thousand calls. Each row counts with its header and its item pointer
     * (28 bytes); an index counts with the share of its pages that is used.
     */
    async readStoredBytes() {
      await client.query("CREATE EXTENSION IF NOT EXISTS pgstattuple");
      const { rows } = await client.query(`
        SELECT relkind, relname, CASE relkind
          WHEN 'i' THEN (SELECT leaf_pages * avg_leaf_density / 100 * 8192 FROM pgstatindex(c.oid))
          ELSE (SELECT tuple_len + 4 * tuple_count FROM pgstattuple(c.oid)) END AS bytes
        FROM pg_class c
        WHERE (relkind IN ('r', 't') OR relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'btree'))
          AND relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace)`);
      return Object.fromEntries(
        rows.map(({ relname, bytes }) => [relname, Number.isFinite(bytes) ? bytes : 0]),
      );
    },
    /** Packs calls and log as the service's job does with those that are an hour old. */
    async packNow() {
      const database = createDatabase({ connectionString, maxConnections: 1 });
      try {
        await packFinalCalls(database, 0);
        await packLog(database, 0);
      } finally {
        await database.close();
      }
      // Index entries of rows that are gone go with them.
      await client.query("VACUUM");
    },
    close: () => client.end(),
  };
}
