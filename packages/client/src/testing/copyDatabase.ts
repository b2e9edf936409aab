import { randomBytes } from "node:crypto";
import pg from "pg";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the run's PostgreSQL, which the service's own set-up starts before any other. */
    postgresUrl: string;
  }
}

/** The migrated database of the run (`service/test/templateDatabase.ts`). */
const TEMPLATE = "assay_template";

/** A new database on the run's PostgreSQL, which is gone with it; returns its address. A server of its own takes a second to make. */
export async function copyDatabase(serverUrl: string): Promise<string> {
  const name = `client_${randomBytes(8).toString("hex")}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  } finally {
    await server.end();
  }
  return serverUrl.replace(/\/postgres$/, `/${name}`);
}
