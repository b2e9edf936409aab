import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { ConfigError } from "../configError.js";
import {
  type BackupFooter,
  type BackupHeader,
  createCount,
  END_OF_ROWS,
  footerSchema,
  headerSchema,
  parseLine,
  type TableCount,
} from "./backupFormat.js";

export interface BackupReader {
  /** Called for each table in turn; it must read all rows. */
  onTable(
    table: { readonly name: string; readonly columns: readonly string[] },
    rows: AsyncIterable<Buffer>,
  ): Promise<void>;
  /** Called before the first table. */
  onHeader?(header: BackupHeader): Promise<void>;
}

export interface ReadBackup {
  readonly header: BackupHeader;
  readonly footer: BackupFooter;
  readonly rows: number;
}

const NEWLINE = 10;
const END_LINE = Buffer.from(`${END_OF_ROWS}\n`);
/** The end of the rows, after a row. */
const AFTER_ROW = Buffer.from(`\n${END_OF_ROWS}\n`);
const tableSchema = z.object({ table: z.string() });

/** Reads the whole file once, in its order. Throws where a byte differs from what was written, or the file ends early. */
export async function readBackup(path: string, reader: BackupReader): Promise<ReadBackup> {
  const lines = createLines(path);
  try {
    const header = parseLine(headerSchema, await lines.next());
    await reader.onHeader?.(header);
    const tables: Record<string, TableCount> = {};
    for (const table of header.tables) {
      const named = parseLine(tableSchema, await lines.next());
      if (named.table !== table.name) throw damaged(`has ${named.table} where ${table.name} should be`);
      const count = createCount();
      await reader.onTable(table, counted(lines.rows(), count));
      tables[table.name] = count.result();
    }
    const sha256 = lines.sha256();
    const footer = parseLine(footerSchema, await lines.next());
    for (const [name, { rows, sha256: hash }] of Object.entries(tables)) {
      const stated = footer.tables[name];
      if (stated?.rows !== rows || stated.sha256 !== hash)
        throw damaged(`has other rows of ${name} than were written`);
    }
    if (footer.sha256 !== sha256) throw damaged("differs from its hash");
    if (!(await lines.isAtEnd())) throw damaged("goes on after its end");
    return { header, footer, rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0) };
  } finally {
    lines.close();
  }
}

/** Only reads: whether the file is whole, and what it says. */
export const checkBackup = (path: string): Promise<ReadBackup> =>
  readBackup(path, {
    async onTable(_, rows) {
      for await (const _chunk of rows);
    },
  });

const damaged = (what: string) => new ConfigError(`The file ${what}; nothing of it is used.`);

async function* counted(
  rows: AsyncIterable<Buffer>,
  count: ReturnType<typeof createCount>,
): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    count.add(chunk);
    yield chunk;
  }
}

function createLines(path: string) {
  const file = createReadStream(path);
  const text = createGunzip();
  file.on("error", (error) => text.destroy(error));
  const chunks = file.pipe(text)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const all = createHash("sha256");
  let rest: Buffer = Buffer.alloc(0);

  async function readMore(): Promise<boolean> {
    const { value, done } = await chunks.next().catch((error: Error) => {
      if ((error as { code?: unknown }).code === "ENOENT") throw new ConfigError(`There is no file ${path}.`);
      throw damaged(`cannot be read to its end (${error.message})`);
    });
    if (done) return false;
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return true;
  }
  function take(length: number): Buffer {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    all.update(taken);
    return taken;
  }
  return {
    async next(): Promise<Buffer> {
      for (;;) {
        const end = rest.indexOf(NEWLINE);
        if (end !== -1) return take(end + 1);
        if (!(await readMore())) throw damaged("ends early");
      }
    },
    async *rows(): AsyncGenerator<Buffer> {
      for (;;) {
        if (rest.subarray(0, END_LINE.length).equals(END_LINE)) {
          take(END_LINE.length);
          return;
        }
        const last = rest.indexOf(AFTER_ROW);
        const end = last === -1 ? rest.lastIndexOf(NEWLINE) : last;
        if (end !== -1) yield take(end + 1);
        else if (!(await readMore())) throw damaged("ends early");
      }
    },
    /** Of every byte that was taken so far. */
    sha256: () => all.copy().digest("hex"),
    isAtEnd: async () => rest.length === 0 && !(await readMore()),
    close: () => file.destroy(),
  };
}
