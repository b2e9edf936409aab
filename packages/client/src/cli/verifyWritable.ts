import { open, unlink } from "node:fs/promises";
import { describeFileError } from "./describeFileError.js";
import { UsageError } from "./usageError.js";

/** Tries to write the file of `--save` and leaves everything as it was. To be called before a payment is sent. */
export async function verifyWritable(file: string): Promise<void> {
  if (file === "") throw new UsageError("--save needs the name of a file. No payment was sent.");
  try {
    if (await createNew(file)) await unlink(file);
    // Not truncated: an earlier answer stays until there is a new one.
    else await (await open(file, "r+")).close();
  } catch (error) {
    throw new UsageError(
      `--save ${file} cannot be written: ${describeFileError(error)}. No payment was sent.`,
    );
  }
}

/** False when the name is taken. */
async function createNew(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx")).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
