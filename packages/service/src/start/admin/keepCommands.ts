import { beginRestoration } from "../../payments/recovery/restorations.js";
import { migrateIn } from "../../store/migrate.js";
import { openSession } from "../../store/session.js";
import { ConfigError } from "../configError.js";
import { type DatabaseReport, inspectDatabase } from "../keep/inspectDatabase.js";
import { checkBackup } from "../keep/readBackup.js";
import { restoreBackup } from "../keep/restoreBackup.js";
import { writeBackup } from "../keep/writeBackup.js";
import { type Command, getDatabaseUrl, refuseArguments, takeArgument } from "./command.js";

export const backup: Command = {
  name: "backup",
  usage: "<file>",
  summary: "writes everything that the database keeps into one file",
  help: `The file holds one moment of the database (DATABASE_URL), compressed, with the hash of each table, the chain it belongs to, and
size and root of the log. The service goes on meanwhile. No other program is needed, whatever PostgreSQL it is. The file appears
when it is whole; it holds answers and who paid for them, so it is readable by you alone. It holds no key: keep those apart.`,
  examples: ["assay-admin backup assay-monday.gz"],
  async run(given) {
    const path = takeArgument(given, "the file to write");
    const { header, rows, bytes, sha256 } = await writeBackup(getDatabaseUrl(given.config), path);
    const { takenAt, log, tables } = header;
    return {
      text: [
        `${path}: ${rows} rows of ${tables.length} tables as of ${takenAt}, ${bytes} bytes.`,
        `The log has ${log.size} entries, root ${log.root}.`,
        `Content sha256 ${sha256}. Try it: assay-admin verify ${path}`,
      ],
      json: { file: path, takenAt, rows, tables: tables.length, bytes, sha256, log },
    };
  },
};

const describeReport = ({ settledCalls, creditEntries, log, faults }: DatabaseReport): string[] => [
  `${settledCalls} settled calls, ${creditEntries} credit entries, a log of ${log.size} entries with root ${log.root}${log.signed === null ? "" : `, signed up to ${log.signed}`}.`,
  ...(faults.length === 0
    ? ["Sums of the ledger, every hash of the log and its signed head hold."]
    : faults.map((fault) => `WRONG: ${fault}.`)),
];

export const restore: Command = {
  name: "restore",
  usage: "<file> [--continued]",
  summary: "puts a backup into an empty database",
  help: `Either all of it is in the database of DATABASE_URL afterwards, verified, or nothing. Stop every process of the service first.

What was paid after the backup is not in it. The service finds these payments on the chain at its next start, before it answers anybody:
a payer who sends such a payment again gets an answer without another charge, and assay-admin refunds lists those that are not
answered. The log goes on under a new name, because somebody may know heads of it that the backup lacks; every client that kept
one reports that, and /.well-known/assay.json says where the old name ends.

  --continued   nothing was paid or signed after the backup: the service was stopped before it was made and has not run since, as
                when you move to another server. Then the log keeps its name.`,
  examples: ["assay-admin restore assay-monday.gz"],
  options: { continued: { type: "boolean" } },
  async run(given) {
    const path = takeArgument(given, "the file to restore");
    const isContinued = given.values.continued === true;
    const { header, rows, report, migrations } = await restoreBackup(getDatabaseUrl(given.config), path, {
      isContinued,
    });
    return {
      text: [
        `Restored ${rows} rows as of ${header.takenAt}.`,
        ...describeReport(report),
        ...(migrations.length > 0 ? [`Brought to this version by ${migrations.join(", ")}.`] : []),
        isContinued
          ? "The log keeps its name. Start the service."
          : `The log goes on as ${report.log.id} after entry ${header.log.size}. Start the service: it reads from the chain what was paid since.`,
      ],
      json: { takenAt: header.takenAt, rows, migrations, isContinued, ...report },
    };
  },
};

export const verify: Command = {
  name: "verify",
  usage: "[<file>]",
  summary: "computes again what a backup or the database says",
  help: `With a file: whether it is whole and every byte is as it was written. That needs no database.
Without: the database of DATABASE_URL, as one moment has it: balances against the entries of the ledger, every hash of the log up to
its root, the head that was signed last, and that each settled call has its answer and its place in the log. Exit code 1 where
something is wrong. Restore a backup into an empty database from time to time: a backup is as good as its last restoration.`,
  examples: ["assay-admin verify assay-monday.gz", "assay-admin verify"],
  async run(given) {
    const [path] = given.positionals;
    if (path !== undefined) {
      const { header, rows, footer } = await checkBackup(takeArgument(given, "one file"));
      return {
        text: [`${path} is whole: ${rows} rows as of ${header.takenAt}, content sha256 ${footer.sha256}.`],
        json: { file: path, takenAt: header.takenAt, rows, sha256: footer.sha256, log: header.log },
      };
    }
    const session = await openSession(getDatabaseUrl(given.config));
    try {
      await session.tx.query({ text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" });
      const report = await inspectDatabase(session.tx);
      return { text: describeReport(report), json: report, isFault: report.faults.length > 0 };
    } finally {
      await session.close();
    }
  },
};

export const recover: Command = {
  name: "recover",
  usage: "--since <time> [--same-log]",
  summary: "after a restoration by other tools: has payments since then read from the chain",
  help: `assay-admin restore does this by itself. After pg_restore, a snapshot or a recovery to a point in time, name that point: what was
paid since is found on the chain when the service starts, and the log goes on under a new name. Stop every process first.

  --since <time>   the moment that the database was put back to, such as 2026-03-01T12:00:00Z
  --same-log       no head of the log was signed since then; otherwise clients would find two histories under one name`,
  examples: ["assay-admin recover --since 2026-03-01T12:00:00Z"],
  options: { since: { type: "string" }, "same-log": { type: "boolean" } },
  async run(given) {
    refuseArguments(given);
    const since = new Date(String(given.values.since));
    if (Number.isNaN(since.getTime()) || since.getTime() > Date.now())
      throw new ConfigError("--since must be a time that has passed, such as 2026-03-01T12:00:00Z.");
    const keepsLog = given.values["same-log"] === true;
    const session = await openSession(getDatabaseUrl(given.config));
    try {
      const { tx } = session;
      await tx.query({ text: "BEGIN" });
      const [row] = await tx.query<{ others: bigint }>({
        text: `SELECT count(*) AS others FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = 'assay'`,
      });
      if (row?.others !== 0n)
        throw new ConfigError("A process of the service still uses this database: stop it first.");
      await migrateIn(tx, () => true);
      await beginRestoration(tx, since, { keepsLog });
      await tx.query({ text: "COMMIT" });
    } finally {
      await session.close();
    }
    return {
      text: [`Start the service: it reads from the chain what was paid since ${since.toISOString()}.`],
      json: { since: since.toISOString(), keepsLog },
    };
  },
};

export const migrate: Command = {
  name: "migrate",
  usage: "",
  summary: "brings the database to this version, before processes of it start",
  help: `The service does the same at its start. As a step of its own, on DATABASE_URL, it shows what a migration does, and how long it takes,
before any process is replaced. All of it happens in one transaction, or nothing.`,
  examples: ["assay-admin migrate"],
  async run(given) {
    refuseArguments(given);
    const session = await openSession(getDatabaseUrl(given.config));
    try {
      await session.tx.query({ text: "BEGIN" });
      const applied = await migrateIn(session.tx, () => true);
      await session.tx.query({ text: "COMMIT" });
      return {
        text: [applied.length === 0 ? "The database is of this version." : `Applied ${applied.join(", ")}.`],
        json: { applied },
      };
    } finally {
      await session.close();
    }
  },
};
