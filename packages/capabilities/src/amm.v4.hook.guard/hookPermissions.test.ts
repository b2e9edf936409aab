import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import {
  isCalledInSwaps,
  isValidHookAddress,
  listHookPermissions,
  touchesLiquidity,
} from "./hookPermissions.js";

const hookOf = (bits: number): Hex => `0x40${bits.toString(16).padStart(38, "0")}`;
const NONE: Hex = `0x${"0".repeat(40)}`;

describe("permissions in a hook's address", () => {
  test.each<[number, readonly string[]]>([
    [0x3fff, expect.arrayContaining(["beforeInitialize", "afterRemoveLiquidityReturnsDelta"])],
    [0x2000, ["beforeInitialize"]],
    [0x1000, ["afterInitialize"]],
    [0x0a00, ["beforeAddLiquidity", "beforeRemoveLiquidity"]],
    [0x00c0, ["beforeSwap", "afterSwap"]],
    [0x0030, ["beforeDonate", "afterDonate"]],
    [0x008c, ["beforeSwap", "beforeSwapReturnsDelta", "afterSwapReturnsDelta"]],
    [0x0103, ["afterRemoveLiquidity", "afterAddLiquidityReturnsDelta", "afterRemoveLiquidityReturnsDelta"]],
    // Above the fourteenth nothing is meant.
    [0xc000, []],
  ])("%i", (bits, permissions) => {
    expect(listHookPermissions(hookOf(bits))).toEqual(permissions);
  });

  test("say whether swaps and liquidity call it", () => {
    expect([0x80, 0x40, 0x30, 0x2000].map((bits) => isCalledInSwaps(hookOf(bits)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([0x800, 0x400, 0x200, 0x100, 0xc0].map((bits) => touchesLiquidity(hookOf(bits)))).toEqual([
      ...[true, true, true, true],
      false,
    ]);
  });

  test.each<[string, Hex, isDynamic: boolean, isValid: boolean]>([
    ["no hook", NONE, false, true],
    ["no hook and a dynamic fee", NONE, true, false],
    ["no bit", hookOf(0xc000), false, false],
    ["no bit and a dynamic fee", hookOf(0xc000), true, true],
    ["a delta before swaps without its call", hookOf(0x48), false, false],
    ["a delta after swaps without its call", hookOf(0x84), false, false],
    ["a delta on adding without its call", hookOf(0x902), false, false],
    ["a delta on removing without its call", hookOf(0x601), false, false],
    ["each delta with its call", hookOf(0x5cf), false, true],
  ])("%s", (_, hooks, isDynamic, isValid) => {
    expect(isValidHookAddress(hooks, isDynamic)).toBe(isValid);
  });
});
