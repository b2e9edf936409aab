import { afterAll, expect, test } from "vitest";
import { useHookFixture } from "./testing/hookFixture.js";
import { hookRows } from "./testing/listHookRows.js";

const fixture = useHookFixture();
const table: Record<string, unknown>[] = [];
afterAll(() => {
  if (process.env.SHOW_HOOK_TABLE) console.table(table);
});

test.each(hookRows.map((row) => [row.verdict, row.name, row] as const))("%s: %s", async (_, name, row) => {
  const result = await fixture.guard(await row.prepare(fixture));
  table.push({ name, verdict: result.verdict, reasons: result.reasonCodes.join(" ") });
  expect.soft(result.reasonCodes).toEqual(expect.arrayContaining([...row.reasons]));
  for (const reason of row.never ?? []) expect.soft(result.reasonCodes).not.toContain(reason);
  expect(result.verdict).toBe(row.verdict);
});
