import { afterAll, expect, test } from "vitest";
import { useLendingWorld } from "./testing/lendingFixture.js";
import { lendingRows } from "./testing/lendingRows.js";

const world = useLendingWorld();
const table: Record<string, unknown>[] = [];
afterAll(() => {
  if (process.env.SHOW_LENDING_TABLE) console.table(table);
});

test.each(lendingRows)("$name: $verdict", async ({ name, verdict, reasons, prepare }) => {
  const answer = await world().guard(await prepare(world()));
  table.push({ name, verdict: answer.verdict, reasons: answer.reasonCodes.join(" ") });
  expect(answer.reasonCodes).toEqual(expect.arrayContaining([...reasons]));
  expect(answer.verdict).toBe(verdict);
});
