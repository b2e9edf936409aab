import { deflateRawSync, inflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import { auditLog } from "./auditLog.js";
import { getLogConsistency, getLogProof } from "./logProofs.js";
import { findLeaf } from "./logTiles.js";
import { packLog } from "./packLog.js";
import { getSignedHead } from "./signedHeads.js";
import { createLog, type TestLog } from "./testing/createLog.js";

const place = useTestDatabase();
let log: TestLog;
beforeEach(async () => {
  log = await createLog(place.database);
  await log.append(700);
  await getSignedHead(log);
});

const countOf = async (table: string) =>
  Number((await log.database.query<{ n: bigint }>({ text: `SELECT count(*) n FROM ${table}` }))[0]?.n);

/** Everything that the log serves about leaves and sizes on both sides of each tile's edges. */
async function readServed() {
  const leaves = [0, 255, 256, 300, 600];
  const sizes = [1, 256, 301, 512, 700];
  const served: unknown[] = [];
  for (const leaf of leaves) {
    served.push((await findLeaf(log.database, leaf))?.toString());
    for (const size of sizes.filter((size) => size > leaf)) served.push(await getLogProof(log, leaf, size));
  }
  for (const second of sizes)
    for (const first of [0, ...sizes].filter((size) => size <= second))
      served.push(await getLogConsistency(log, first, second));
  return served;
}

describe("leaves that were signed long ago are kept in tiles", () => {
  test("everything that is served stays the same, and the log goes on", async () => {
    const before = await readServed();
    expect(await packLog(log.database, 0)).toBe(2);
    expect([await countOf("log_tiles"), await countOf("log_leaves")]).toEqual([2, 700 - 512]);
    expect(await readServed()).toEqual(before);
    expect(await packLog(log.database, 0)).toBe(0);
    await log.append(400);
    await auditLog(log);
    expect((await getSignedHead(log)).size).toBe(1_100);
    expect(await packLog(log.database, 0)).toBe(2);
    expect(await readServed()).toEqual(before);
    await auditLog(log);
    expect(log.errors).toEqual([]);
  });

  test("what is new, or not signed, stays as it is", async () => {
    expect(await packLog(log.database)).toBe(0);
    await log.append(400);
    expect(await packLog(log.database, 0)).toBe(2);
    expect(await countOf("log_leaves")).toBe(1_100 - 512);
  });

  test("processes that pack together make each tile once", async () => {
    const made = await Promise.all([1, 2, 3].map(() => packLog(log.database, 0)));
    expect(made.reduce((sum, tiles) => sum + tiles, 0)).toBe(2);
    await auditLog(log);
    expect(log.errors).toEqual([]);
  });
});

describe("a log that was tampered with is not signed", () => {
  const expectFault = async (fault: RegExp) => {
    await auditLog(log);
    expect(log.errors.at(-1)).toMatch(fault);
    await expect(getSignedHead(log)).rejects.toMatchObject({ code: "log_inconsistent" });
  };
  const edit = (text: string, values: unknown[] = []) => log.tamper(text, values);

  test.each([
    ["a tile lost", "DELETE FROM log_tiles WHERE tile = 1", /^tile 1 is lost/],
    ["a tile cut", "UPDATE log_tiles SET leaves = substr(leaves, 1, 99) WHERE tile = 0", /^tile 0 cannot be/],
    ["the count of tiles raised", "UPDATE log_packing SET tiles = 3", /^tile 2 is lost/],
    ["the count of tiles lowered", "UPDATE log_packing SET tiles = 1", /^leaf 256 is lost/],
    [
      "a tile's root edited",
      "UPDATE log_nodes SET hash = set_byte(hash, 0, get_byte(hash, 0) # 255) WHERE level = 8 AND position = 0",
      /^tile 0 is lost or differs/,
    ],
    ["a node above two tiles lost", "DELETE FROM log_nodes WHERE level = 9", /^node 0 of level 9 is lost/],
  ])("%s", async (_name, text, fault) => {
    await packLog(log.database, 0);
    await edit(text);
    await expectFault(fault);
  });

  test("a word of one packed leaf changed", async () => {
    await packLog(log.database, 0);
    const [row] = await log.database.query<{ leaves: Buffer }>({
      text: "SELECT leaves FROM log_tiles WHERE tile = 1",
    });
    const plain = inflateRawSync(row?.leaves ?? Buffer.alloc(0));
    plain.write("RECEIPT", plain.indexOf("receipt"));
    await edit("UPDATE log_tiles SET leaves = $1 WHERE tile = 1", [deflateRawSync(plain)]);
    await expectFault(/^tile 1 is lost or differs from its root/);
  });

  test("leaves that differ from their hashes are not packed", async () => {
    await edit("UPDATE log_leaves SET leaf = leaf || ' ' WHERE leaf_index = 3");
    expect(await packLog(log.database, 0)).toBe(0);
    await expectFault(/^leaf 3 is lost or differs/);
    // Nor while a fault is known.
    await edit("UPDATE log_leaves SET leaf = substr(leaf, 1, length(leaf) - 1) WHERE leaf_index = 3");
    expect(await packLog(log.database, 0)).toBe(0);
    await auditLog(log);
    expect(await packLog(log.database, 0)).toBe(2);
  });
});
