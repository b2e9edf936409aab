import { beginRestoration } from "../../payments/recovery/restorations.js";
import { migrateIn } from "../../store/migrate.js";
import { openSession, type Session } from "../../store/session.js";
import { ConfigError } from "../configError.js";
import type { BackupHeader } from "./backupFormat.js";
import { type DatabaseReport, inspectDatabase } from "./inspectDatabase.js";
import { type ReadBackup, readBackup } from "./readBackup.js";
import { listTables } from "./writeBackup.js";

export interface Restored extends ReadBackup {
  readonly report: DatabaseReport;
  /** Files that this version applied to what the backup holds. */
  readonly migrations: readonly string[];
}

/**
 * Puts a backup into an empty database, in one transaction: either all of it is there, verified, or nothing is. `isContinued`: the
 * service was stopped before the backup was made and has not run since, so nothing was paid or signed that it lacks.
 */
export async function restoreBackup(
  connectionString: string,
  path: string,
  { isContinued = false }: { readonly isContinued?: boolean } = {},
): Promise<Restored> {
  const session = await openSession(connectionString);
  const { tx } = session;
  try {
    await tx.query({ text: "BEGIN" });
    await verifyEmpty(session);
    const read = await readBackup(path, {
      onHeader: (header) => createTables(session, header),
      onTable: ({ name, columns }, rows) =>
        session.copyIn(`COPY ${name} (${columns.join(", ")}) FROM STDIN`, rows),
    });
    await continueSequences(session);
    const migrations = await migrateIn(tx, () => true);
    if (!isContinued) await beginRestoration(tx, new Date(read.header.takenAt));
    const report = await inspectDatabase(tx);
    if (report.faults.length > 0)
      throw new ConfigError(
        `The backup is as it was written, but its content is not sound: ${report.faults.join("; ")}. Nothing was restored.`,
      );
    await tx.query({ text: "COMMIT" });
    return { ...read, report, migrations };
  } finally {
    // Without COMMIT, closing takes everything back.
    await session.close();
  }
}

async function verifyEmpty({ tx }: Session): Promise<void> {
  const [row] = await tx.query<{ tables: bigint }>({
    text: `SELECT count(*) AS tables FROM pg_class
           WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')`,
  });
  if (row?.tables !== 0n)
    throw new ConfigError(
      "DATABASE_URL names a database that is not empty: create a new one and restore into that.",
    );
}

/** The tables as they were when the backup was made, without a row. */
async function createTables({ tx }: Session, header: BackupHeader): Promise<void> {
  const wanted = new Map(header.migrations.map(({ name, sha256 }) => [name, sha256]));
  const made = await migrateIn(tx, (name) => wanted.has(name));
  const missing = [...wanted.keys()].filter((name) => !made.includes(name));
  if (missing.length > 0)
    throw new ConfigError(
      `The backup was made by a newer version, which has ${missing.join(", ")}: restore it with that one.`,
    );
  const shipped = await tx.query<{ name: string; sha256: string }>({
    text: "SELECT name, sha256 FROM migrations",
  });
  for (const { name, sha256 } of shipped)
    if (wanted.get(name) !== sha256) throw new ConfigError(`The backup was made with another ${name}.`);
  const expected = JSON.stringify(await listTables(tx));
  if (expected !== JSON.stringify(header.tables))
    throw new ConfigError("The backup has other tables or columns than its migrations make.");
  // Some migrations begin a table with a row.
  await tx.query({ text: `TRUNCATE ${header.tables.map(({ name }) => name).join(", ")}` });
}

/** Numbers that the database gives out go on after the highest one that is there. */
async function continueSequences({ tx }: Session): Promise<void> {
  const columns = await tx.query<{ relation: string; name: string; sequence: string }>({
    text: `SELECT quote_ident(c.relname) AS relation, quote_ident(a.attname) AS name,
             pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS sequence
           FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
           WHERE c.relnamespace = current_schema()::regnamespace AND a.attidentity <> ''`,
  });
  for (const { relation, name, sequence } of columns)
    await tx.query({
      text: `SELECT setval($1, coalesce((SELECT max(${name}) FROM ${relation}), 0) + 1, false)`,
      values: [sequence],
    });
}
