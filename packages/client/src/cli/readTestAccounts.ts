import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "./readJsonFile.js";
import { UsageError } from "./usageError.js";

interface TestAccount {
  readonly name: string;
  readonly privateKey: string;
}

export const testAccountsFile = (dataDir: string): string => join(dataDir, "devnet.json");

/** The test accounts an embedded chain was started with; undefined when there is no readable file. */
export async function readTestAccounts(file: string): Promise<TestAccount[] | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { accounts } = parseJson(text) as { accounts?: unknown };
    if (Array.isArray(accounts) && accounts.every(isTestAccount)) return accounts;
  } catch {
    // A file that is not JSON gets the same message.
  }
  throw new UsageError(
    `${file} was not written by a service; start the service again or give --private-key-file.`,
  );
}

function isTestAccount(value: unknown): value is TestAccount {
  if (typeof value !== "object" || value === null) return false;
  return (
    "name" in value &&
    typeof value.name === "string" &&
    "privateKey" in value &&
    typeof value.privateKey === "string"
  );
}
