import { alteredChain } from "@assay/chain/testing/alteredChain";
import type { Reading } from "@assay/protocol";
import { afterAll, expect, test } from "vitest";
import { evaluateTransactionIntent } from "../shared/intents/evaluateTransaction.js";
import { transactionIntentReadingsSchema } from "../shared/intents/transactionReadings.js";
import type { GuardResult, Transaction } from "./testing/intentFixture.js";
import { useIntentWorld } from "./testing/intentFixture.js";
import type { IntentRow } from "./testing/intentRow.js";
import { listIntentRows } from "./testing/listIntentRows.js";
import { prepareHoldings } from "./testing/prepareHoldings.js";
import { withoutTraces } from "./testing/withoutTraces.js";

const world = useIntentWorld(prepareHoldings);
const table: Record<string, unknown>[] = [];
/** What was read of each row that is allowed and needs nothing before it, for the tests after the first. */
const allowed: (readonly [IntentRow, GuardResult])[] = [];
afterAll(() => {
  if (process.env.SHOW_INTENT_TABLE) console.table(table);
});

async function judge({ before = [], transaction }: Pick<IntentRow, "before" | "transaction">) {
  const { devnet, guard, send } = world();
  // Judging changes nothing, so only what is sent before has to be undone.
  if (before.length === 0) return guard(transaction);
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
    const result = await judge(row);
    const { verdict, reasonCodes, findings } = result;
    const { name, hostile: isHostile, intent, reasons } = row;
    if (row.verdict === "allow" && !row.before) allowed.push([row, result]);
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

/** One row of each intent; `npm run campaign:disagreement` takes all. */
const listSilencedRows = () =>
  allowed.filter(
    ([{ intent }], place) =>
      process.env.ASSAY_EVERY_READING === "1" ||
      allowed.findIndex(([other]) => other.intent === intent) === place,
  );

test("no matter which reading of what is allowed is missing, nothing is allowed", () => {
  let tried = 0;
  for (const [{ name }, { readings: recorded, input }] of listSilencedRows()) {
    for (const { path, copy } of listSilenced(recorded)) {
      const silenced = transactionIntentReadingsSchema.parse(copy);
      // Storage explains only functions that are not known.
      if (path === "/storage") continue;
      // Slots and calls of an address without code mean nothing.
      if (path.startsWith("/target/") && path !== "/target/code" && isEmpty(recorded)) continue;
      // What it costs is information, and no reason to sign or not.
      if (path === "/besideGas") continue;
      expect(evaluateTransactionIntent(input, silenced).verdict, `${name} ${path}`).not.toBe("allow");
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(100);
});

test("where no node offers traces this is stated, and a transaction that does what its calldata says keeps the verdict", async () => {
  // What a function of unknown meaning does is seen by a trace alone.
  const rows = allowed.filter(([{ name }]) => !name.startsWith("a view"));
  const untraced = alteredChain(world().chain, withoutTraces);
  for (const [{ name, transaction }] of rows) {
    const { verdict, reasonCodes, limitations } = await world().guard(transaction, untraced);
    expect.soft({ name, verdict }).toEqual({ name, verdict: "allow" });
    expect.soft(reasonCodes).toContain("TRACE_UNAVAILABLE");
    expect.soft(limitations.join()).toContain("No node offers traces of calls");
  }
  expect(rows.length).toBeGreaterThan(10);
});

const isEmpty = ({ target }: GuardResult["readings"]) =>
  target.code.status === "value" && target.code.value.form === "empty";

const silent: Reading<never> = { status: "unanswered", reason: "timeout" };

/** Copies of the value in which one reading after another has gone unanswered. */
function listSilenced(value: unknown, path = ""): { path: string; copy: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  if ("status" in value) return [{ path, copy: silent }];
  return Object.entries(value).flatMap(([key, child]) =>
    listSilenced(child, `${path}/${key}`).map(({ path: inner, copy }) => ({
      path: inner,
      copy: Array.isArray(value) ? value.with(Number(key), copy) : { ...value, [key]: copy },
    })),
  );
}
