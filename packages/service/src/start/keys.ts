import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Hex } from "@assay/protocol";
import { makeDirectory } from "../store/makeDirectory.js";

export const signingKeyPath = (dataDir: string): string => join(dataDir, "keys", "service-signing-key");

/** The key that signs results: given, or created once and kept in the data directory. */
export async function loadSigningKey(given: Hex | undefined, dataDir: string): Promise<Hex> {
  if (given) return given;
  const path = signingKeyPath(dataDir);
  if (existsSync(path)) {
    // Copied or restored files are often readable by everyone.
    await chmod(path, 0o600);
    return (await readFile(path, "utf8")).trim() as Hex;
  }
  const key: Hex = `0x${randomBytes(32).toString("hex")}`;
  await makeDirectory(dirname(path), 0o700);
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  return key;
}

/** Writes keys for this user alone; a file that is there already is closed to others before they are written. */
export async function writeSecret(path: string, text: string): Promise<void> {
  if (existsSync(path)) await chmod(path, 0o600);
  await writeFile(path, `${text}\n`, { mode: 0o600 });
}

/** RFC 5869. One master key, one purpose per derived secret, equal on every process that shares the key. */
export function deriveSecret(signingKey: Hex, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(signingKey.slice(2), "hex"), "assay", purpose, 32));
}
