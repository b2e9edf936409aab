import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveSecret, loadSigningKey } from "./keys.js";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-keys-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("a generated key is made once, kept, and readable by its owner alone", async () => {
  const key = await loadSigningKey(undefined, directory);
  expect(key).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await loadSigningKey(undefined, directory)).toBe(key);
  const file = await stat(join(directory, "keys", "service-signing-key"));
  expect(file.mode & 0o077).toBe(0);
  expect(await loadSigningKey(undefined, join(directory, "another"))).not.toBe(key);
});

test("a given key is used and never written down", async () => {
  const given: Hex = `0x${"7".repeat(64)}`;
  const elsewhere = join(directory, "given");
  expect(await loadSigningKey(given, elsewhere)).toBe(given);
  await expect(stat(elsewhere)).rejects.toThrow("ENOENT");
});

test("derived secrets agree for one key and purpose, and differ for any other", () => {
  const key: Hex = `0x${"7".repeat(64)}`;
  const secret = deriveSecret(key, "challenge tickets");
  expect(secret).toEqual(deriveSecret(key, "challenge tickets"));
  expect(secret).toHaveLength(32);
  expect(secret).not.toEqual(deriveSecret(key, "something else"));
  expect(secret).not.toEqual(deriveSecret(`0x${"8".repeat(64)}`, "challenge tickets"));
});
