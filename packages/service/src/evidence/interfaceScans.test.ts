import { type InterfaceScan, SELECTOR_SCANNER } from "@assay/capabilities";
import type { Hex } from "@assay/protocol";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { findInterfaceScan, storeInterfaceScans } from "./interfaceScans.js";
import { isPartPaid } from "./longLivedParts.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // Only the responses matter here; whose calls they belong to does not.
  await database.query({
    text: "ALTER TABLE responses DROP CONSTRAINT responses_invocation_id_fkey CASCADE",
  });
});
afterAll(() => database.close());
beforeEach(() => database.query({ text: "DELETE FROM interface_scans" }));

const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
const scan = (digit: string, changes: Partial<InterfaceScan> = {}): InterfaceScan => ({
  codeHash: hash(digit),
  scanner: SELECTOR_SCANNER,
  selectors: ["0x095ea7b3", "0xa9059cbb"],
  ...changes,
});

let calls = 0;
async function respond(effects: unknown): Promise<string> {
  calls += 1;
  const id = `call_${calls}`;
  await database.query({
    text: "INSERT INTO responses (invocation_id, body, effects) VALUES ($1, '', $2)",
    values: [id, JSON.stringify(effects)],
  });
  return id;
}
const store = (...ids: string[]) => database.transaction((tx) => storeInterfaceScans(tx, ids));

test("what several calls scanned is stored at once, and only theirs", async () => {
  const ids = await Promise.all([
    respond({ scans: [scan("1"), scan("2", { selectors: [] })] }),
    respond({ scans: [scan("1")] }),
    respond({ artifact: {} }),
    respond(null),
  ]);
  await respond({ scans: [scan("3")] });
  await store(...ids);
  expect(await findInterfaceScan(database, hash("1"))).toEqual(["0x095ea7b3", "0xa9059cbb"]);
  expect(await findInterfaceScan(database, hash("2"))).toEqual([]);
  expect(await findInterfaceScan(database, hash("3"))).toBeUndefined();
});

test("a scan stands as it was first stored", async () => {
  await store(await respond({ scans: [scan("1")] }));
  await store(await respond({ scans: [scan("1", { selectors: ["0xdeadbeef"] })] }));
  expect(await findInterfaceScan(database, hash("1"))).toEqual(["0x095ea7b3", "0xa9059cbb"]);
});

test("another scanner's scan is not reused", async () => {
  await store(await respond({ scans: [scan("1", { scanner: "evmole 0.0.1" })] }));
  expect(await findInterfaceScan(database, hash("1"))).toBeUndefined();
});

test("the part is known by the code alone, and never of an account without code", async () => {
  const address: Hex = "0x00000000000000000000000000000000000000aa";
  await store(await respond({ scans: [scan("1")] }));
  const ask = (codeHash: Hex | null) => isPartPaid(database, "interfaceScan", { address, codeHash }, []);
  expect(await Promise.all([ask(hash("1")), ask(hash("2")), ask(null), ask(hash("1"))])).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("concurrent calls that scanned the same codes in opposite orders both settle", async () => {
  const codes = Array.from({ length: 3000 }, (_, index) => index.toString(16).padStart(64, "0"));
  const scans = codes.map((code) => scan("1", { codeHash: `0x${code}`, selectors: [] }));
  const ids = await Promise.all([respond({ scans }), respond({ scans: scans.toReversed() })]);
  await Promise.all(ids.map((id) => store(id)));
  expect(await database.query({ text: "SELECT FROM interface_scans" })).toHaveLength(codes.length);
});
