import { until } from "@assay/chain/testing/until";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/createTestDatabase.js";
import { openAnySettlerLease, openSettlerLeases, type SettlerLeases } from "./settlerLeases.js";

const KEY = `0x${"Ab".repeat(20)}` as const;
const OTHER = `0x${"cd".repeat(20)}` as const;
const logger = pino({ level: "silent" });
const opened: SettlerLeases[] = [];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const leases of opened) await leases.close();
  await database.close();
});

async function open(
  addresses: readonly (typeof KEY | typeof OTHER)[],
  waits: boolean,
): Promise<SettlerLeases> {
  const leases = await openSettlerLeases(database.connectionString, addresses, { waits, logger });
  opened.push(leases);
  return leases;
}

test("one holder has a key at a time, whose end or whose lost connection lets the next one have it", async () => {
  const first = await open([KEY], false);
  expect(first.of(KEY).isHeld()).toBe(true);
  await expect(open([OTHER, KEY], false)).rejects.toThrow(
    new RegExp(`^The settling key of ${KEY.toLowerCase()} is used by process ${process.pid} on \\S+ since `),
  );
  // What a refused process had taken before is free again.
  const other = await open([OTHER], false);
  expect(other.of(OTHER).isHeld()).toBe(true);

  const second = await open([KEY], true);
  let times = 0;
  second.of(KEY).onHeld(() => {
    times += 1;
  });
  expect(second.of(KEY).isHeld()).toBe(false);
  // As when the network is cut: the server ends the connection, and the process lives.
  await database.query({
    text: `SELECT pg_terminate_backend(l.pid) FROM pg_locks l
           WHERE l.locktype = 'advisory' AND l.objid = hashtext($1)::bigint & 4294967295
             AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [`settler ${KEY.toLowerCase()}`],
  });
  await until(async () => (first.of(KEY).isHeld() ? undefined : true), 5_000);
  // Either may be faster; never both.
  await until(async () => [first, second].some((leases) => leases.of(KEY).isHeld()) || undefined, 5_000);
  expect([first, second].filter((leases) => leases.of(KEY).isHeld())).toHaveLength(1);
  const [holder, waiting] = first.of(KEY).isHeld() ? [first, second] : [second, first];
  const got = waiting.of(KEY).whenHeld();
  await holder.close();
  await got;
  expect(waiting.of(KEY).isHeld()).toBe(true);
  expect(times).toBeGreaterThan(0);
});

test("of a list each holder gets a key that no other has, and one too many gets none", async () => {
  const list = [`0x${"e1".repeat(20)}`, `0x${"e2".repeat(20)}`] as const;
  const take = async () => {
    const taken = await openAnySettlerLease(database.connectionString, list, logger);
    opened.push(taken.leases);
    expect(taken.leases.of(list[taken.index] as (typeof list)[0]).isHeld()).toBe(true);
    return taken;
  };
  const both = await Promise.all([take(), take()]);
  expect(both.map(({ index }) => index).sort()).toEqual([0, 1]);
  await expect(take()).rejects.toThrow(
    "Each of the 2 settling keys is used by another process, and each process needs one: add a key, or stop a process.",
  );
  await both.find(({ index }) => index === 1)?.leases.close();
  expect((await take()).index).toBe(1);
});
