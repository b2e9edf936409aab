import { describe, expect, test } from "vitest";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const launch = (sample: string) =>
  fixture.launcher.launchForGood(sample).then((token) => fixture.guard(token));

describe("a sale that depends on more than its parties is no allow", () => {
  test.each<[string, string, string]>([
    ["another contract's answer", "QuoteSwitchToken", "the answer of another contract"],
    ["what an account has of the token", "HolderSwitchToken", "what other accounts have"],
    ["how many transfers there were", "CountedTradesToken", "what trades before it wrote"],
    ["an amount that was approved once", "WorkedAmountToken", "what trades before it wrote"],
    ["days between those that were simulated", "SeasonToken", "times at which no sale was simulated"],
    ["a fee that counts later", "DelayedFeeToken", "a setting that 0x69fe0e2d writes"],
  ])("when it is %s", async (_, sample, sentence) => {
    const { verdict, reasonCodes, limitations } = await launch(sample);
    expect([verdict, reasonCodes]).toEqual(["review", expect.arrayContaining(["SALE_DEPENDS_ON"])]);
    expect(limitations.join()).toContain(sentence);
  });
});

test.each([
  ["counts its transfers", "CountingToken"],
  ["lets its owner set a fee of at most five percent", "BoundedFeeToken"],
])("a token that %s is allowed", async (_, sample) => {
  const { verdict, readings } = await launch(sample);
  expect([verdict, readings.program?.trade?.doubts]).toEqual(["allow", []]);
});
