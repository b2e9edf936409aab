import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { packLog } from "../packages/service/dist/src/log/packLog.js";
import { packFinalCalls } from "../packages/service/dist/src/payments/packFinalCalls.js";
import { createDatabase } from "../packages/service/dist/src/store/database.js";

const signTimeoutMs = 20_000;

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
      // Tables of the service, what they keep outside their rows, and the indexes of both. Not PostgreSQL's own statistics.
      const { rows } = await client.query(`
        WITH own AS (SELECT oid, reltoastrelid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace),
        tables AS (SELECT oid FROM own UNION ALL SELECT reltoastrelid FROM own WHERE reltoastrelid <> 0)
        SELECT t.oid::regclass::text AS name, tuple_len + 4 * tuple_count AS bytes FROM tables t, pgstattuple(t.oid)
        UNION ALL
        SELECT i.indexrelid::regclass::text, leaf_pages * avg_leaf_density / 100 * 8192
        FROM tables t JOIN pg_index i ON i.indrelid = t.oid
        JOIN pg_class c ON c.oid = i.indexrelid AND c.relam = (SELECT oid FROM pg_am WHERE amname = 'btree'),
          pgstatindex(i.indexrelid)`);
      return Object.fromEntries(
        rows.map(({ name, bytes }) => [name, Number.isFinite(Number(bytes)) ? Number(bytes) : 0]),
      );
    },
    /** Packs calls and log as the service's job does with those that are an hour old. The log is packed up to its signed head. */
    async packNow() {
      const isSigned =
        "SELECT size <= (SELECT coalesce(max(size), 0) FROM log_checkpoints) AS yes FROM log_head";
      for (const endMs = Date.now() + signTimeoutMs; Date.now() < endMs; await sleep(200))
        if ((await client.query(isSigned)).rows[0]?.yes) break;
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
