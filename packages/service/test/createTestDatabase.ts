import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { createDatabase, type Database } from "../src/store/database.js";
import { copyOf, TEMPLATE_DATABASE } from "./templateDatabase.js";

export interface TestDatabase extends Database {
  readonly connectionString: string;
}

/** A new, migrated database on the run's PostgreSQL, dropped when closed. */
export async function createTestDatabase(options: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const serverUrl = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const server = createDatabase({ connectionString: serverUrl, maxConnections: 1 });
  const template = options.migrated === false ? "template1" : TEMPLATE_DATABASE;
  await server.query({ text: `CREATE DATABASE ${name} ${copyOf(template)}` });
  const connectionString = serverUrl.replace(/\/postgres$/, `/${name}`);
  const database = createDatabase({ connectionString });
  return {
    ...database,
    connectionString,
    async close() {
      await database.close();
      await server.query({ text: `DROP DATABASE ${name} WITH (FORCE)` });
      await server.close();
    },
  };
}
