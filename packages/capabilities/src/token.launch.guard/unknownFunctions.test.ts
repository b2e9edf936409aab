import { toFunctionSelector } from "viem";
import { expect, test } from "vitest";
import { encodeBlindCalls, listUnknownSelectors } from "./unknownFunctions.js";

const targets = {
  trader: "0x0000000000000000000000000000000000000011",
  pool: "0x0000000000000000000000000000000000000012",
  supply: 1_000_000n,
} as const;

test("known and harmless functions are not tried blindly", () => {
  const selectors = ["transfer(address,uint256)", "pause()", "zq7(address)"].map((name) =>
    toFunctionSelector(name),
  );
  expect(listUnknownSelectors(selectors)).toEqual([toFunctionSelector("zq7(address)")]);
  const calls = encodeBlindCalls("0x12345678", targets);
  expect(calls).toHaveLength(5);
  for (const call of calls) expect(call).toMatch(/^0x12345678[0-9a-f]{256}$/);
});
