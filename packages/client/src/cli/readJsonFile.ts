import { readFile } from "node:fs/promises";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";

/** The JSON value of a file; `-` reads standard input. */
export async function readJsonFile(file: string, terminal: Terminal): Promise<unknown> {
  const isInput = file === "-";
  const text = await (isInput ? terminal.readInput() : readFile(file, "utf8")).catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`${isInput ? "Standard input" : file} is not JSON.`);
  }
}

/** Ignores the byte order mark that editors on Windows write (RFC 8259, section 8.1). */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ""));
