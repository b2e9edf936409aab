import { expect, it } from "vitest";
import { type Approved, findWorsening } from "./findWorsening.js";

const shop = "0x2222222222222222222222222222222222222222";
const thief = "0x3333333333333333333333333333333333333333";
const asked: Approved = {
  action: "ask",
  reasons: ["DOUBT"],
  valueMicroUsd: 10_000_000n,
  valueWei: 0n,
  gainers: [shop],
};

it.each<[string, Partial<Approved>, string | undefined]>([
  ["the same", {}, undefined],
  ["an allow", { action: "allow", reasons: ["OK"] }, undefined],
  ["less", { reasons: [], valueMicroUsd: 0n, gainers: [] }, undefined],
  ["a price that moved a little", { valueMicroUsd: 10_300_000n }, undefined],
  ["a refusal", { action: "refuse" }, "refused"],
  ["another reason", { reasons: ["DOUBT", "MORE"] }, "MORE"],
  ["more dollars", { valueMicroUsd: 10_300_001n }, "more than before"],
  ["ether where there was none", { valueWei: 1n }, "more than before"],
  ["somebody else who gets it", { gainers: [shop, thief] }, thief],
])("after an approval: %s", (_name, change, found) => {
  const worse = findWorsening(asked, { ...asked, ...change });
  if (found === undefined) expect(worse).toBeUndefined();
  else expect(worse).toContain(found);
});

it("what passed unasked and is to be asked about now", () => {
  expect(findWorsening({ ...asked, action: "allow" }, asked)).toContain("asked about");
});
