import { healthDaysSchema } from "@assay/protocol";
import { beforeEach, expect, test } from "vitest";
import { emptyTables } from "../../test/emptyTables.js";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import { readHealthDays } from "./readHealthDays.js";
import { deleteOldHealth, recordHealth } from "./recordHealth.js";

const place = useTestDatabase();
beforeEach(() => emptyTables(place.database, "health_minutes"));

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOW = new Date("2026-03-15T10:00:30Z");
const read = async () => healthDaysSchema.parse(await readHealthDays(place.database, NOW));
/** Minutes of one kind before now: from so many minutes ago, so many. */
const insert = (agoMinutes: number, many: number, ready = 3, failed: readonly string[] = []) =>
  place.database.query({
    text: `INSERT INTO health_minutes (minute, checks, ready, failed)
           SELECT date_trunc('minute', $1::timestamptz) - n * interval '1 minute', 3, $4, $5
           FROM generate_series($2::int - $3::int + 1, $2::int) n`,
    values: [NOW, agoMinutes, many, ready, failed],
  });
const at = (agoMinutes: number) =>
  new Date(Math.floor(NOW.getTime() / MINUTE_MS) * MINUTE_MS - agoMinutes * MINUTE_MS).toISOString();

test("a service without a check has thirty days of which nothing is known", async () => {
  const { days, interruptions } = await read();
  expect(days).toHaveLength(30);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(["2026-02-14", "2026-03-15"]);
  expect(new Set(days.map(({ minutes, readyMinutes }) => minutes + readyMinutes))).toEqual(new Set([0]));
  expect(interruptions).toEqual([]);
});

test("minutes in which a part failed or nothing ran are interruptions, and count against their day", async () => {
  // Since 100 minutes: ready for 40, the chain away for 10, nothing running for 20, ready for 30.
  await insert(100, 40);
  await insert(60, 10, 0, ["chain"]);
  await insert(30, 30, 3);
  const { days, interruptions } = await read();
  expect(days.at(-1)).toEqual({ day: "2026-03-15", minutes: 100, readyMinutes: 70, failed: ["chain"] });
  expect(days.at(-2)).toMatchObject({ minutes: 0 });
  expect(interruptions).toEqual([{ from: at(60), to: at(30), failed: ["chain"] }]);
});

test("a minute in which one of three checks failed is two thirds ready, and no interruption", async () => {
  await insert(3, 3, 2, ["x402"]);
  const { days, interruptions } = await read();
  expect(days.at(-1)).toMatchObject({ minutes: 3, failed: ["x402"] });
  expect(days.at(-1)?.readyMinutes).toBeCloseTo(2);
  expect(interruptions).toEqual([]);
});

test("what lies before the window shows only that the service existed", async () => {
  await insert((29 * DAY_MS) / MINUTE_MS + 24 * 60, 1);
  const { days, interruptions } = await read();
  expect(days[0]).toMatchObject({ minutes: 1_440, readyMinutes: 0 });
  expect(days.at(-1)).toMatchObject({ minutes: 600, readyMinutes: 0 });
  expect(interruptions).toHaveLength(1);
});

test("each check is added to its minute, with the parts that failed, and old minutes are deleted", async () => {
  const check = (ok: boolean) => async () => ({
    ok,
    dependencies: [
      { name: "chain", ok },
      { name: "persistence", ok: true },
    ],
  });
  const { database } = place;
  for (const ok of [true, false, false]) await recordHealth(database, check(ok));
  await insert(-60, 0);
  const rows = () =>
    database.query<{ checks: number; ready: number; failed: string[] }>({
      text: `SELECT sum(checks)::int AS checks, sum(ready)::int AS ready, max(failed) AS failed FROM health_minutes`,
    });
  expect(await rows()).toEqual([{ checks: 3, ready: 1, failed: ["chain"] }]);
  await database.query({
    text: "INSERT INTO health_minutes (minute, checks, ready) VALUES (now() - interval '32 days', 5, 5)",
  });
  await deleteOldHealth(database);
  expect(await rows()).toEqual([{ checks: 3, ready: 1, failed: ["chain"] }]);
});
