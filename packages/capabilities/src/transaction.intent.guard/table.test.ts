import { afterAll, expect, test } from "vitest";
import type { Transaction } from "./testing/intentFixture.js";
import { useIntentWorld } from "./testing/intentFixture.js";
import type { IntentRow } from "./testing/intentRow.js";
import { listIntentRows } from "./testing/listIntentRows.js";
import { prepareHoldings } from "./testing/prepareHoldings.js";

const world = useIntentWorld(prepareHoldings);
const table: Record<string, unknown>[] = [];
afterAll(() => {
  if (process.env.SHOW_INTENT_TABLE) console.table(table);
});

async function judge({ before = [], transaction }: Pick<IntentRow, "before" | "transaction">) {
  const { devnet, guard, send } = world();
  const snapshot = await devnet.snapshot();
  try {
    for (const one of before as readonly Transaction[]) expect((await send(one)).status).toBe("0x1");
    return await guard(transaction);
  } finally {
    await devnet.revert(snapshot);
  }
}

test("every call is classified and judged as it should be", async () => {
  const rows = listIntentRows(world());
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  const hostile = rows.filter((row) => row.hostile);
  expect(hostile.length * 2).toBeGreaterThanOrEqual(rows.length);
  for (const row of rows) {
    const { verdict, reasonCodes, findings } = await judge(row);
    const { name, hostile: isHostile, intent, reasons } = row;
    table.push({
      name,
      hostile: isHostile,
      intent: findings.intent,
      verdict,
      reasons: reasonCodes.join(" "),
    });
    expect.soft({ name, intent: findings.intent, verdict }).toEqual({ name, intent, verdict: row.verdict });
    expect.soft(reasonCodes, name).toEqual(expect.arrayContaining([...reasons]));
    // Independent of the table: these two must hold for every row.
    if (isHostile) expect.soft(verdict, name).not.toBe("allow");
    else expect.soft(verdict, name).not.toBe("block");
  }
}, 60_000);
