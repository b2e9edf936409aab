import { expect, test } from "vitest";
import { CLANKER_HOOKS } from "../chain-facts/knownContracts.js";
import { findParty } from "../parties/findParty.js";
import { baseLaunchVenues } from "./launchVenues.js";

test("what is known of V4 is what the registry of parties says", () => {
  const { singleton } = baseLaunchVenues;
  const nameOf = (address: `0x${string}` | undefined) => address && findParty(address)?.name;
  expect([nameOf(singleton?.manager), nameOf(singleton?.positions)]).toEqual([
    "Uniswap v4 PoolManager",
    "Uniswap v4 PositionManager",
  ]);
  expect(new Set(CLANKER_HOOKS.map((hook) => findParty(hook)?.role))).toEqual(new Set(["hook"]));
  expect(new Set(CLANKER_HOOKS).size).toBe(4);
});
