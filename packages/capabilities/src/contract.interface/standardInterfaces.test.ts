import { toFunctionSelector } from "viem";
import { expect, test } from "vitest";
import { DECIMALS_SELECTOR, type StandardInterface, standardInterfaces } from "./standardInterfaces.js";

const standards: [string, StandardInterface][] = Object.entries(standardInterfaces);

test.each(standards)("%s lists each function under the selector of its signature", (_, { functions }) => {
  for (const [signature, selector] of Object.entries(functions))
    expect(toFunctionSelector(`function ${signature}`)).toBe(selector);
});

test.each(standards.filter(([, { interfaceId }]) => interfaceId !== null))(
  "%s has the id that its selectors combine to, so that no function is missing",
  (_, { interfaceId, functions }) => {
    const combined = Object.values(functions).reduce((sum, selector) => sum ^ Number(selector), 0) >>> 0;
    expect(`0x${combined.toString(16).padStart(8, "0")}`).toBe(interfaceId);
  },
);

test("decimals() has its selector", () => {
  expect(toFunctionSelector("function decimals()")).toBe(DECIMALS_SELECTOR);
});
