import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError } from "./configError.js";
import { loadObligations } from "./loadObligations.js";

const line = {
  type: "upgrade_window",
  address: `0x${"ab".repeat(20)}`,
  windowBlocks: 100,
  challengeHours: 24,
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-obligations-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test("a file that is missing, no JSON or wrong stops start-up with one sentence naming the variable", async () => {
  const path = join(directory, "list.json");
  const refusal = async () =>
    loadObligations(path, undefined).then(
      () => "",
      (error: unknown) => (error instanceof ConfigError ? error.message : "another error"),
    );
  expect(await refusal()).toBe(`OBLIGATIONS_FILE ${path} does not exist.`);
  await writeFile(path, "[");
  expect(await refusal()).toMatch(/^OBLIGATIONS_FILE \S+: .*JSON.*\.$/);
  await writeFile(path, JSON.stringify([{ ...line, address: 7 }]));
  expect(await refusal()).toMatch(/^OBLIGATIONS_FILE \S+: line 1: address .+\.$/);
  await writeFile(path, JSON.stringify([line]));
  expect(await loadObligations(path, undefined)).toHaveLength(1);
  expect(await loadObligations(undefined, undefined)).toEqual([]);
});
