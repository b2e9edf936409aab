import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** A file of lines that several processes append to and read. */
export interface LineFile {
  readonly path: string;
  /** Durable once this resolves. */
  append(line: string): Promise<void>;
  /** The whole lines that were written since the last call, by anyone. */
  readOn(): Promise<string[]>;
  close(): Promise<void>;
}

const NEW_LINE = 0x0a;
const CHUNK_BYTES = 1 << 20;

/** Opens or creates the file, readable by its owner only. */
export async function openLineFile(path: string): Promise<LineFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Appended by the kernel, at the end as it is at that moment (O_APPEND): lines of two processes do not mix.
  const handle = await open(path, "a+", 0o600);
  let offset = 0;
  let rest = Buffer.alloc(0);
  // One call at a time: a second reader would take bytes out of the first one's line.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work, work);
    turn = result.catch(() => {});
    return result;
  };
  return {
    path,
    append: (line) =>
      inTurn(async () => {
        // It begins with a line break too: a line that another process did not finish ends there.
        const bytes = Buffer.from(`\n${line}\n`);
        const { bytesWritten } = await handle.write(bytes);
        if (bytesWritten !== bytes.length)
          throw new Error(`${path} could not be written whole: is the disk full?`);
        await handle.datasync();
      }),
    readOn: () =>
      inTurn(async () => {
        const lines: string[] = [];
        for (;;) {
          const chunk = await readChunk(handle, offset);
          if (chunk.length === 0) return lines;
          offset += chunk.length;
          const bytes = Buffer.concat([rest, chunk]);
          let from = 0;
          for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, from)) {
            if (end > from) lines.push(bytes.toString("utf8", from, end));
            from = end + 1;
          }
          rest = bytes.subarray(from);
        }
      }),
    close: () => inTurn(() => handle.close()),
  };
}

async function readChunk(handle: FileHandle, offset: number): Promise<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, offset);
  return buffer.subarray(0, bytesRead);
}
