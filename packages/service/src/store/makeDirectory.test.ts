import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDirectory } from "./makeDirectory.js";

test("missing folders are made, existing ones are left, and what cannot be made is refused at once", async () => {
  const root = await mkdtemp(join(tmpdir(), "assay-directory-"));
  await Promise.all([makeDirectory(join(root, "a", "b", "c")), makeDirectory(join(root, "a", "b", "c"))]);
  expect(existsSync(join(root, "a", "b", "c"))).toBe(true);
  await writeFile(join(root, "file"), "");
  await expect(makeDirectory(join(root, "file", "below"))).rejects.toThrow(/is not a folder/);
  if (existsSync("/proc/self"))
    await expect(makeDirectory("/proc/nope")).rejects.toThrow(/ENOENT|EACCES|EPERM/);
  await rm(root, { recursive: true });
});
