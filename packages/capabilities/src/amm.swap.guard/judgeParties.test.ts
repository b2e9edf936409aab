import { zeroAddress } from "viem";
import { expect, test } from "vitest";
import type { DecodedSwap } from "../shared/swaps/decodeSwap.js";
import { judgeParties } from "./judgeParties.js";
import type { SwapGuardReadings } from "./readings.js";

const HOOK = `0x${"66".repeat(20)}` as const;
const swap = (hooks: typeof HOOK | typeof zeroAddress, ...bips: readonly number[]) =>
  ({
    hops: [{ hooks }],
    program: { portions: bips.map((one) => ({ recipient: HOOK, bips: one })) },
  }) as unknown as DecodedSwap;
const judge = (one: DecodedSwap, knownAs: string | null = null) =>
  judgeParties(one, { hooks: [{ address: HOOK, knownAs }] } as unknown as SwapGuardReadings).map(
    ({ code }) => code,
  );

test("a hook is a review unless it was recorded as a published one", () => {
  expect(judge(swap(zeroAddress))).toEqual([]);
  expect(judge(swap(HOOK))).toEqual(["HOOK_UNKNOWN"]);
  expect(judge(swap(HOOK), "Clanker v4 fee static hook")).toEqual(["HOOK_KNOWN"]);
});

test("parts of the output for others are counted together", () => {
  expect(judge(swap(zeroAddress, 25))).toEqual(["PORTION_SMALL"]);
  expect(judge(swap(zeroAddress, 60, 60))).toEqual(["PORTION_LARGE"]);
  expect(judge(swap(zeroAddress, 300, 300))).toEqual(["PORTION_EXCESSIVE"]);
});
