import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { getLogRoot } from "../../log/logTree.js";
import { getLogId, getLogSize } from "../../log/signedHeads.js";
import { openSession, type Session } from "../../store/session.js";
import { ConfigError } from "../configError.js";
import {
  type BackupHeader,
  createCount,
  END_OF_ROWS,
  FORMAT,
  FORMAT_VERSION,
  type TableCount,
} from "./backupFormat.js";

export interface WrittenBackup {
  readonly header: BackupHeader;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Everything that the database keeps, as one moment has it, in one file. The service goes on meanwhile. The file appears under
 * its name when it is whole and on the disk.
 */
export async function writeBackup(connectionString: string, path: string): Promise<WrittenBackup> {
  const session = await openSession(connectionString);
  // A name that no other run has: one that was killed left its file behind, and one that still writes must not be disturbed.
  const partial = `${path}.${randomBytes(4).toString("hex")}.partial`;
  try {
    await session.tx.query({ text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" });
    const header = await describeDatabase(session);
    const written = { rows: 0, sha256: "" };
    await pipeline(
      Readable.from(writeAll(session, header, written)),
      createGzip(),
      // It holds answers and who paid for them.
      createWriteStream(partial, { mode: 0o600, flags: "wx", flush: true }),
    );
    const file = await open(partial, "r");
    const { size: bytes } = await file.stat().finally(() => file.close());
    await rename(partial, path);
    return { header, bytes, ...written };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  } finally {
    await session.close();
  }
}

async function* writeAll(
  { copyOut }: Session,
  header: BackupHeader,
  written: { rows: number; sha256: string },
): AsyncGenerator<Buffer> {
  const all = createHash("sha256");
  const line = (value: unknown) =>
    Buffer.from(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  const add = (chunk: Buffer) => {
    all.update(chunk);
    return chunk;
  };
  yield add(line(header));
  const tables: Record<string, TableCount> = {};
  for (const { name, columns } of header.tables) {
    yield add(line({ table: name }));
    const count = createCount();
    for await (const chunk of copyOut(`COPY ${name} (${columns.join(", ")}) TO STDOUT`)) {
      count.add(chunk);
      yield add(chunk);
    }
    yield add(line(END_OF_ROWS));
    const result = count.result();
    tables[name] = result;
    written.rows += result.rows;
  }
  written.sha256 = all.digest("hex");
  yield line({ tables, sha256: written.sha256 });
}

async function describeDatabase({ tx }: Session): Promise<BackupHeader> {
  const tables = await listTables(tx);
  if (!tables.some(({ name }) => name === "migrations"))
    throw new ConfigError(
      "DATABASE_URL names a database in which no service has run: there is nothing to back up.",
    );
  const [{ now } = { now: new Date(Number.NaN) }] = await tx.query<{ now: Date }>({
    text: "SELECT now() AS now",
  });
  const migrations = await tx.query<{ name: string; sha256: string }>({
    text: "SELECT name, sha256 FROM migrations ORDER BY name",
  });
  const [chain] = await tx.query<{
    chain_id: bigint;
    anchor_block: bigint;
    anchor_hash: string;
    pay_to: string | null;
  }>({ text: "SELECT chain_id, anchor_block, anchor_hash, pay_to FROM chain_identity" });
  const size = await getLogSize(tx);
  const [head] = await tx.query<{ note: string }>({
    text: "SELECT note FROM log_checkpoints ORDER BY size DESC LIMIT 1",
  });
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    takenAt: now.toISOString(),
    chain: chain
      ? {
          chainId: Number(chain.chain_id),
          anchorBlock: Number(chain.anchor_block),
          anchorHash: chain.anchor_hash,
          payTo: chain.pay_to,
        }
      : null,
    migrations,
    log: { id: await getLogId(tx), size, root: await getLogRoot(tx, size), checkpoint: head?.note ?? null },
    tables,
  };
}

/**
 * Tables with their columns, those first that others refer to. Tables that PostgreSQL itself forgets in a crash, such as
 * counters of rate limits, are not kept.
 */
export async function listTables(tx: Session["tx"]): Promise<BackupHeader["tables"]> {
  const tables = await tx.query<{ name: string; columns: string[]; refers_to: string[] }>({
    text: `SELECT quote_ident(c.relname) AS name,
             (SELECT array_agg(quote_ident(a.attname) ORDER BY a.attnum) FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
             ARRAY(SELECT quote_ident(f.relname) FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS refers_to
           FROM pg_class c
           WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
           ORDER BY c.relname`,
  });
  const sorted: BackupHeader["tables"] = [];
  const names = new Set<string>();
  for (let rest = tables; rest.length > 0; ) {
    const ready = rest.filter(({ refers_to }) => refers_to.every((name) => names.has(name)));
    if (ready.length === 0)
      throw new Error(`tables refer to each other in a circle: ${rest.map((t) => t.name)}`);
    for (const { name, columns } of ready) {
      names.add(name);
      sorted.push({ name, columns });
    }
    rest = rest.filter(({ name }) => !names.has(name));
  }
  return sorted;
}
