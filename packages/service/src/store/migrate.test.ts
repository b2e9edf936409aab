import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { packageFolder } from "../base/packageFolder.js";
import { createDatabase } from "./database.js";
import { migrate } from "./migrate.js";

let database: TestDatabase;
let files: string[];
beforeEach(async () => {
  database = await createTestDatabase({ migrated: false });
  const folder = fileURLToPath(new URL("migrations/", packageFolder));
  files = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
});
afterEach(() => database.close());

const applied = async () =>
  (await database.query<{ name: string }>({ text: "SELECT name FROM migrations ORDER BY name" })).map(
    (row) => row.name,
  );

test("an empty database gets every file, in order, once", async () => {
  expect(files.length).toBeGreaterThan(0);
  expect(await migrate(database)).toEqual(files);
  expect(await migrate(database)).toEqual([]);
  expect(await applied()).toEqual(files);
  await database.query({ text: "SELECT * FROM invocations" });
});

test("processes that start together wait for each other: one applies, the others find it done", async () => {
  const pools = Array.from({ length: 6 }, () =>
    createDatabase({ connectionString: database.connectionString, maxConnections: 1 }),
  );
  const results = await Promise.all(pools.map(migrate));
  expect(results.filter((names) => names.length > 0)).toEqual([files]);
  expect(await applied()).toEqual(files);
  await Promise.all(pools.map((pool) => pool.close()));
});

const dist = new URL("dist/src/store/", packageFolder);

test("two processes of the built service agree", async () => {
  const script = `
    const { createDatabase } = await import(${JSON.stringify(new URL("database.js", dist).href)});
    const { migrate } = await import(${JSON.stringify(new URL("migrate.js", dist).href)});
    const database = createDatabase({ connectionString: process.env.URL, maxConnections: 1 });
    console.log(JSON.stringify(await migrate(database)));
    await database.close();`;
  const run = async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { env: { ...process.env, URL: database.connectionString } },
    );
    return JSON.parse(stdout) as string[];
  };
  const results = await Promise.all([run(), run()]);
  expect(results.toSorted((a, b) => b.length - a.length)).toEqual([files, []]);
});

test("a file that was changed after it was applied is refused by name", async () => {
  await migrate(database);
  const [first] = files;
  const forget = (sha256: string) =>
    database.query({ text: "UPDATE migrations SET sha256 = $2 WHERE name = $1", values: [first, sha256] });
  const [row] = await database.query<{ sha256: string }>({
    text: "SELECT sha256 FROM migrations WHERE name = $1",
    values: [first],
  });
  await forget("0".repeat(64));
  await expect(migrate(database)).rejects.toThrow(
    `Migration ${first} was changed after it was applied; write a new one instead.`,
  );
  // Control: with its true hash back, the same database is accepted.
  await forget(row?.sha256 ?? "");
  expect(await migrate(database)).toEqual([]);
});

test("a file that fails leaves nothing behind, and works once the obstacle is gone", async () => {
  await database.query({ text: "CREATE TABLE fingerprints (obstacle int)" });
  await expect(migrate(database)).rejects.toThrow(/fingerprints/);
  const tables = await database.query<{ name: string }>({
    text: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  });
  expect(tables.map((table) => table.name)).toEqual(["fingerprints"]);
  await database.query({ text: "DROP TABLE fingerprints" });
  expect(await migrate(database)).toEqual(files);
});
