import { readFile } from "node:fs/promises";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";

/** The value in a file, or on standard input when the file is called `-`. */
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

/** Editors on Windows put a byte order mark before everything (RFC 8259 lets a reader ignore it). */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ""));
