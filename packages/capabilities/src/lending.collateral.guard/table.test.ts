import { valueReading } from "@assay/protocol";
import { numberToHex } from "viem";
import { afterAll, expect, test } from "vitest";
import { evaluateLendingCollateral } from "./evaluate.js";
import { useLendingWorld } from "./testing/lendingFixture.js";
import { lendingRows } from "./testing/lendingRows.js";
import { unvouchedRows } from "./testing/unvouchedRows.js";

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

test.each(unvouchedRows)("$name: nothing but the factory's answer is against it", async ({ prepare }) => {
  const { input, readings: recorded } = await world().guard(await prepare(world()));
  if (!recorded.market) throw new Error("the market was not followed");
  const { market } = recorded;
  const isFactoryMade = valueReading(numberToHex(1, { size: 32 }));
  const vouched = { ...recorded, market: { ...market, oracle: { ...market.oracle, isFactoryMade } } };
  expect(evaluateLendingCollateral(input, vouched).verdict).toBe("allow");
});

test.each<[string, `0x${string}`]>([
  ["no code", "0x"],
  ["code that returns nothing", "0x00"],
  ["code that refuses", "0x60006000fd"],
  ["code that returns neither yes nor no", "0x60025f5260205ff3"],
])("a factory with %s answers for no oracle", async (_, code) => {
  const { devnet, guard, honest, alice } = world();
  await devnet.request("hardhat_setCode", [devnet.contracts.morphoOracleFactory, code]);
  await devnet.mine();
  const { verdict, reasonCodes } = await guard({ params: honest, user: alice, amount: 1n });
  expect(reasonCodes).toContain("ORACLE_CODE_UNKNOWN");
  expect(verdict).toBe("review");
});
