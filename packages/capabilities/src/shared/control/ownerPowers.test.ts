import { decodeFunctionData, parseAbi, toFunctionSelector } from "viem";
import { expect, test } from "vitest";
import { encodePowerCalls, findOwnerPower, ownerPowers, powerKinds } from "./ownerPowers.js";

const targets = {
  trader: "0x0000000000000000000000000000000000000011",
  pool: "0x0000000000000000000000000000000000000012",
  supply: 1_000_000n,
} as const;

test("every kind of power is known by name, and none twice", () => {
  expect(new Set(ownerPowers.map(({ kind }) => kind))).toEqual(new Set(powerKinds));
  expect(new Set(ownerPowers.map(({ selector }) => selector)).size).toBe(ownerPowers.length);
});

test("every power that is tried encodes with all its arguments", () => {
  for (const power of ownerPowers) {
    for (const call of encodePowerCalls(power, targets)) {
      const abi = parseAbi([`function ${power.signature}`] as readonly string[]);
      expect(() => decodeFunctionData({ abi, data: call })).not.toThrow();
    }
  }
});

test("the seller, the pool and the worst numbers are the arguments", () => {
  const calls = (signature: string) => {
    const power = findOwnerPower(toFunctionSelector(signature));
    if (!power) throw new Error(`${signature} is not known`);
    const abi = parseAbi([`function ${signature}`] as readonly string[]);
    return encodePowerCalls(power, targets).map((data) => decodeFunctionData({ abi, data }).args);
  };
  expect(calls("setBlacklist(address,bool)")).toEqual([[targets.trader, true]]);
  expect(calls("addBots(address[])")).toEqual([[[targets.trader]]]);
  expect(calls("blockPair(address)")).toEqual([[targets.pool]]);
  expect(calls("setFees(uint256,uint256)")[0]).toEqual([10_000n, 10_000n]);
  expect(calls("setMaxTx(uint256)")).toEqual([[1n], [0n], [100n]]);
  expect(calls("setTradingEnabled(bool)")).toEqual([[false]]);
});
