import type { Database } from "../src/store/database.js";

/** Deletes all rows of these tables, in this order. TRUNCATE makes new files, which takes sixty times as long where there are few rows. */
export async function emptyTables(database: Pick<Database, "query">, ...tables: string[]): Promise<void> {
  await database.query({ text: tables.map((table) => `DELETE FROM ${table}`).join("; ") });
}
