import { until } from "@assay/chain/testing/until";
import { inputHashOf } from "@assay/protocol";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { emptyTables } from "../../test/emptyTables.js";
import { createDatabase } from "../store/database.js";
import { listOpportunities, recordAsks, trimAskedCapabilities } from "./askedCapabilities.js";
import { createDemandCounter, type DemandCounter } from "./demandCounter.js";
import { trimDemand } from "./recordMisses.js";

const SECRET = Buffer.alloc(32, 7);
const NOON = new Date("2026-01-02T12:00:00Z");
const WAITING =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
const ONE_HOUR_LATER = new Date("2026-01-02T13:00:00Z");

let db: TestDatabase;
let demand: DemandCounter;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await emptyTables(db, "demand", "demand_askers", "asked_capabilities", "seeds");
  demand = createDemandCounter(db, SECRET);
});
afterAll(() => db.close());

function questionAbout(number: number) {
  const input = { address: `0x${number.toString(16).padStart(40, "0")}` as const };
  return { capabilityId: "contract.guard", input, inputHash: inputHashOf("contract.guard", "1.0.0", input) };
}
const token = questionAbout(1);

const readMisses = async () => {
  const rows = await db.query<{ input_hash: string; misses: bigint }>({ text: "SELECT * FROM demand" });
  return Object.fromEntries(rows.map((row) => [row.input_hash, Number(row.misses)]));
};
const countRows = async (table: "demand" | "demand_askers" | "asked_capabilities") => {
  const [row] = await db.query<{ rows: bigint }>({ text: `SELECT count(*) AS rows FROM ${table}` });
  return Number(row?.rows);
};

test("one asker counts once an hour, another asker and another hour count again", async () => {
  demand.countMiss(token, "1.1.1.1");
  demand.countMiss(token, "1.1.1.1");
  await demand.flush(NOON);
  demand.countMiss(token, "1.1.1.1");
  demand.countMiss(token, "2.2.2.2");
  await demand.flush(NOON);
  expect(await readMisses()).toEqual({ [token.inputHash]: 2 });
  await demand.flush(ONE_HOUR_LATER);
  demand.countMiss(token, "1.1.1.1");
  await demand.flush(ONE_HOUR_LATER);
  expect(await readMisses()).toEqual({ [token.inputHash]: 3 });
});

test("an asker counts once however many processes it asks, also all at once", async () => {
  const connections = Array.from({ length: 2 }, () =>
    createDatabase({ connectionString: db.connectionString }),
  );
  const processes = connections.map((database) => createDemandCounter(database, SECRET));
  for (const one of processes)
    for (let number = 0; number < 20; number += 1)
      for (const asker of ["1.1.1.1", "2.2.2.2"])
        one.countMiss(questionAbout(processes[0] === one ? number : 19 - number), asker);
  await Promise.all(processes.map((one) => one.flush(NOON)));
  const misses = Object.values(await readMisses());
  expect(misses).toHaveLength(20);
  expect(new Set(misses)).toEqual(new Set([2]));
  await Promise.all(connections.map((connection) => connection.close()));
});

test("an input that somebody answers for is not counted, and is again once the seed is stale", async () => {
  await db.query({
    text: `INSERT INTO seeds (input_hash, capability_id, wallet, source, cap_micro_usd, fresh_until)
           VALUES ($1, 'contract.guard', '0xa', 'publication', 1, now() + interval '1 hour')`,
    values: [token.inputHash],
  });
  demand.countMiss(token, "1.1.1.1");
  demand.countMiss(questionAbout(2), "1.1.1.1");
  await demand.flush(NOON);
  expect(await readMisses()).toEqual({ [questionAbout(2).inputHash]: 1 });
  await db.query({ text: "UPDATE seeds SET fresh_until = now()" });
  demand.countMiss(token, "2.2.2.2");
  await demand.flush(NOON);
  expect(await readMisses()).toMatchObject({ [token.inputHash]: 1 });
});

test("one address cannot fill the list, with inputs or names, and does not keep others out", async () => {
  for (let number = 0; number < 300; number += 1) {
    demand.countMiss(questionAbout(number), "1.1.1.1");
    demand.countMiss(token, "2.2.2.2");
    demand.countAsk(`made.up.${number}`, "3.3.3.3");
  }
  demand.countMiss(questionAbout(299), "4.4.4.4");
  await demand.flush(NOON);
  const misses = await readMisses();
  expect(Object.keys(misses)).toHaveLength(21);
  // Two addresses asked for it, one of them three hundred times.
  expect(misses[token.inputHash]).toBe(2);
  expect(misses[questionAbout(299).inputHash]).toBe(1);
  expect(await countRows("asked_capabilities")).toBe(20);
});

test("what people write is not counted: it would be published before anyone paid", async () => {
  const page = {
    capabilityId: "web.compile",
    input: { url: "https://example.com/?token=secret" },
    inputHash: "sha256:1",
  };
  demand.countMiss(page, "1.1.1.1");
  await demand.flush(NOON);
  expect(await countRows("demand")).toBe(0);
});

test("a flush ends no sooner than one that was under way, so that nothing counted before it is missing", async () => {
  const slow = createDemandCounter(
    {
      ...db,
      async transaction(work) {
        await new Promise((resume) => setTimeout(resume, 100));
        return db.transaction(work);
      },
    },
    SECRET,
  );
  slow.countMiss(token, "203.0.113.9");
  const flushes = [slow.flush(NOON), slow.flush(NOON)];
  await flushes[1];
  expect(await countRows("demand")).toBe(1);
  await flushes[0];
});

test("what waits to be written is bounded", async () => {
  for (let number = 0; number < 6_000; number += 1)
    demand.countMiss(questionAbout(number), `address ${number}`);
  await demand.flush(NOON);
  expect(await countRows("demand")).toBe(5_000);
});

test("nobody who asked can be read from the tables", async () => {
  demand.countMiss(token, "203.0.113.9");
  demand.countMiss(questionAbout(2), "203.0.113.9");
  demand.countAsk("some.name", "203.0.113.9");
  await demand.flush(NOON);
  const askers = await db.query<{ asker: Buffer }>({ text: "SELECT asker FROM demand_askers" });
  const hashes = askers.map(({ asker }) => asker.toString("hex"));
  // One asker of two inputs is counted as two.
  expect(new Set(hashes).size).toBe(3);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

test("where counting and seeding wait for each other, counting gives way before a deadlock is found", async () => {
  const [first, last] = [1, 2].map(questionAbout).sort((a, b) => (a.inputHash < b.inputHash ? -1 : 1));
  const countBoth = (asker: string) => {
    for (const question of [first, last]) if (question) demand.countMiss(question, asker);
    return demand.flush(NOON);
  };
  await countBoth("1.1.1.1");
  const met = { text: "DELETE FROM demand WHERE input_hash = $1" };
  let counting: Promise<unknown> | undefined;
  let hasGivenUp = false;
  await db.transaction(async (tx) => {
    await tx.query({ ...met, values: [last?.inputHash] });
    counting = expect(countBoth("2.2.2.2"))
      .rejects.toThrow("lock timeout")
      .finally(() => {
        hasGivenUp = true;
      });
    await until(async () => hasGivenUp || (await db.query({ text: WAITING })).length > 0 || undefined);
    await tx.query({ ...met, values: [first?.inputHash] });
  });
  await counting;
  expect(await countRows("demand")).toBe(0);
});

test("the most wanted inputs of the last days are kept", async () => {
  for (let number = 1; number <= 6; number += 1)
    for (let asker = 0; asker < number; asker += 1)
      demand.countMiss(questionAbout(number), `address ${asker}`);
  await demand.flush(NOON);
  await db.query({
    text: "UPDATE demand SET last_miss_at = now() - interval '8 days' WHERE misses = 6",
  });
  await db.query({
    text: `INSERT INTO seeds (input_hash, capability_id, wallet, source, cap_micro_usd, fresh_until)
           VALUES ($1, 'contract.guard', '0xa', 'publication', 1, now() + interval '1 hour')`,
    values: [questionAbout(5).inputHash],
  });
  await trimDemand(db, 4);
  // The best four are those with 6, 5, 4 and 3 misses; of them one is old and one is answered for.
  expect(Object.values(await readMisses()).sort()).toEqual([3, 4]);
  // These askers are of an hour long past.
  expect(await countRows("demand_askers")).toBe(0);
});

test("this hour's askers are kept", async () => {
  demand.countMiss(token, "1.1.1.1");
  await demand.flush();
  await trimDemand(db);
  expect(await countRows("demand_askers")).toBe(1);
});

test("names are kept by how many asked, and those pledged for always", async () => {
  const ask = (capability: string, asker: number) => ({ capability, asker: Buffer.from([asker]) });
  await recordAsks(db, [ask("wanted", 1), ask("wanted", 2), ask("asked.once", 1), ask("wanted", 1)], NOON);
  await db.query({
    text: `INSERT INTO asked_capabilities (capability, pledges, last_asked_at)
           VALUES ('pledged', 1, now() - interval '1 year')`,
  });
  await trimAskedCapabilities(db, 1);
  const { opportunities } = await listOpportunities(db, 10);
  expect(opportunities.map(({ capability, unknownAsks }) => [capability, unknownAsks])).toEqual([
    ["wanted", 2],
    ["pledged", 0],
  ]);
});
