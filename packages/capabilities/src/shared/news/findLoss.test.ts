import { BASE_USDC } from "@assay/protocol/baseAddresses";
import { expect, it } from "vitest";
import { findLoss } from "./findLoss.js";

const me = "0x00000000000000000000000000000000000000aa";
const flow = (usd: string | null) => ({ token: BASE_USDC, amount: "1", usd });
const lossOf = (effects: object, measured: object = {}) => {
  const loss = findLoss({
    findings: { effects: { leaves: [], returns: [], permissions: [], ...effects }, measured },
  });
  return loss && [Number(loss.microUsd), loss.isWhole];
};

it("is what leaves and does not come back, in dollars", () => {
  expect(lossOf({ leaves: [flow("$12.50"), flow("$0.25")], returns: [flow("$2.00")] })).toEqual([
    10_750_000,
    true,
  ]);
  expect(lossOf({ leaves: [flow("$1.00")], returns: [flow("$5.00")] })).toBeNull();
});

it("is at least that where something has no known price", () => {
  expect(lossOf({ leaves: [flow("$1.00"), flow(null)] })).toEqual([1_000_000, false]);
});

it("counts what a dollar token may be taken of: the limit, or all that is held", () => {
  const permission = { token: BASE_USDC.toLowerCase(), owner: me, amount: "7000000", isRevocation: false };
  const balances = [{ holder: me, token: BASE_USDC, before: "5000000" }];
  expect(lossOf({ permissions: [permission] })).toEqual([7_000_000, true]);
  expect(lossOf({ permissions: [permission] }, { balances })).toEqual([5_000_000, true]);
  const unlimited = { ...permission, amount: String(2n ** 256n - 1n) };
  expect(lossOf({ permissions: [unlimited] }, { balances })).toEqual([5_000_000, true]);
  expect(lossOf({ permissions: [unlimited] })).toBeNull();
  expect(lossOf({ permissions: [{ ...permission, isRevocation: true }] })).toBeNull();
});

it("is none for what is no transaction, whatever stands there", () => {
  for (const evidence of [
    null,
    5,
    {},
    { findings: { effects: "x" } },
    { findings: { effects: { leaves: [3] } } },
  ])
    expect(findLoss(evidence)).toBeNull();
});
