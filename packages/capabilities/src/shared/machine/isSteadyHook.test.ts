import type { Hex } from "@assay/protocol";
import { expect, test } from "vitest";
import { loadSample } from "../../testing/loadSample.js";
import { isSteadyHook } from "./isSteadyHook.js";

const MANAGER = "0x498581ff718922c3f8e6a244956af099b2652b2b";
/** A share or fee of ten in the place of the compiler's zero. */
const withTen = (code: Hex): Hex => code.replaceAll(`7f${"0".repeat(64)}`, `7f${"0".repeat(62)}0a`) as Hex;

test.each(["PlainHook", "FeeHook", "InputHook", "DynamicFeeHook", "OneWayHook", "ClosedHook", "LoudHook"])(
  "%s treats all swaps alike for ever",
  (sample) => {
    const { deployedBytecode } = loadSample(sample);
    expect([deployedBytecode, withTen(deployedBytecode)].map((code) => isSteadyHook(code, MANAGER))).toEqual([
      true,
      true,
    ]);
    // Of another manager nobody says that it is one.
    if (sample === "FeeHook")
      expect(isSteadyHook(withTen(deployedBytecode), `0x${"11".repeat(20)}`)).toBe(false);
  },
);

test.each([
  ...[
    "OwnedFeeHook",
    "PatientHook",
    "ReturnHook",
    "ClockHook",
    "GasPriceHook",
    "EndlessHook",
    "UpgradeableHook",
  ],
  ...["RouterFriendHook", "RouterFoeHook", "RouterListHook", "LastBitsHook", "WorkedBitsHook"],
  ...["LargeSwapHook", "SizeWindowHook", "RoundAmountHook", "ExactInputHook"],
  ...["ClaimWatchingHook", "BaitHook", "ClaimHook", "AskingHook", "PuppeteerHook", "TuningHook"],
  ...["GasCountingHook", "QuotientHook", "DifferenceHook", "HighBitsHook", "ExactAmountHook"],
  ...["MaskedSenderHook", "RefusedHook"],
])("%s may not", (sample) => {
  expect(isSteadyHook(withTen(loadSample(sample).deployedBytecode), MANAGER)).toBe(false);
});

/** `take(address,address,uint256)` of the manager, of what `push` leaves on the stack. */
const takeOf = (push: string): string =>
  `630b0d9c0960e01b5f52${push}6044525f5f60645f5f73${MANAGER.slice(2)}5af150`;
const give = (push: string): string => `${push}5f5260205ff3`;
const [NOTHING, TIME, AMOUNT] = ["5f", "42", "60e435"];

test.each<[string, string, boolean]>([
  ["takes and returns an amount", `${takeOf(AMOUNT)}${give(AMOUNT)}`, true],
  ["takes what the clock says", `${takeOf(TIME)}${give(NOTHING)}`, false],
  ["returns what the clock says", give(TIME), false],
  ["tells functions apart by which number is larger", "5f3560e01c63575e24b411600f57005b00", true],
])("a program that %s", (_, code, isSteady) => {
  expect(isSteadyHook(`0x${code}`, MANAGER)).toBe(isSteady);
});
