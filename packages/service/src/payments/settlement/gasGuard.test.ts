import { expect, test } from "vitest";
import { CODE_GAS_PER_HOUR, createGasGuard, REFUSED_MS } from "./gasGuard.js";

const payer = "0xAbCd000000000000000000000000000000000001";
const other = "0xabcd000000000000000000000000000000000002";
const code = "0xef0100";

test("a payer whose settlement failed is refused for an hour, and so is every payer with the same code", () => {
  let nowMs = 0;
  const guard = createGasGuard(() => nowMs);
  expect(guard.findRefusal(payer, code)).toBeUndefined();
  guard.noteFailure(payer, code);
  expect(guard.findRefusal(payer.toLowerCase(), null)).toBe("payer_failed_settlement_within_the_hour");
  expect(guard.findRefusal(other, code)).toBe("payer_code_failed_settlement_within_the_hour");
  expect(guard.findRefusal(other, "0x6001")).toBeUndefined();
  expect(guard.findRefusal(other, null)).toBeUndefined();
  nowMs += REFUSED_MS;
  expect(guard.findRefusal(payer, code)).toBeUndefined();
});

test("the failure of a payer without code refuses nobody else", () => {
  const guard = createGasGuard();
  guard.noteFailure(payer, null);
  expect(guard.findRefusal(other, null)).toBeUndefined();
});

test("payers with code share a budget of gas an hour; payers without code are outside it", () => {
  let nowMs = 0;
  const guard = createGasGuard(() => nowMs);
  guard.spendOnCode(CODE_GAS_PER_HOUR - 1n);
  expect(guard.findRefusal(payer, code)).toBeUndefined();
  guard.spendOnCode(1n);
  expect(guard.findRefusal(payer, code)).toBe("gas_for_payers_with_code_is_used_up_this_hour");
  expect(guard.findRefusal(payer, null)).toBeUndefined();
  nowMs += 60 * 60 * 1000;
  expect(guard.findRefusal(payer, code)).toBeUndefined();
});

test("gas that was paid for is given back, and leaves the budget to others", () => {
  const guard = createGasGuard();
  const giveBack = guard.spendOnCode(CODE_GAS_PER_HOUR);
  expect(guard.findRefusal(payer, code)).toBe("gas_for_payers_with_code_is_used_up_this_hour");
  giveBack();
  expect(guard.findRefusal(payer, code)).toBeUndefined();
});
