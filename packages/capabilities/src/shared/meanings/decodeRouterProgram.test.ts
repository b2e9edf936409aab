import { concatHex, encodeAbiParameters, type Hex, numberToHex, parseAbiParameters } from "viem";
import { describe, expect, test } from "vitest";
import { decodeRouterProgram, decodeV4Program } from "./decodeRouterProgram.js";

const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const weth = "0x4200000000000000000000000000000000000006";
const from = `0x${"a1".repeat(20)}` as const;
const to = `0x${"b2".repeat(20)}` as const;
const sender = "0x0000000000000000000000000000000000000001";
const router = "0x0000000000000000000000000000000000000002";
const none = "0x0000000000000000000000000000000000000000";
const tokens = (address: Hex) =>
  ({ [usdc]: { symbol: "USDC", decimals: 6 }, [weth]: { symbol: "WETH", decimals: 18 } })[
    address.toLowerCase()
  ];

const encode = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types), values as never);
const codes = (...all: number[]): Hex => concatHex(all.map((code) => numberToHex(code, { size: 1 })));
const decode = (commands: Hex, inputs: Hex[]) => decodeRouterProgram(commands, inputs, tokens, { from, to });
const sentences = (commands: Hex, inputs: Hex[]) =>
  decode(commands, inputs).steps.map(({ sentence }) => sentence);

const path = concatHex([weth, "0x0001f4", usdc]);
const v3Swap = encode("address, uint256, uint256, bytes, bool", [
  sender,
  10n ** 18n,
  3_000_000_000n,
  path,
  false,
]);
const v4Types = "(address, address, uint24, int24, address)";
const v4Key = [none, usdc, 500, 10, none];

describe("a program of the Universal Router", () => {
  test("is read step by step, with the router's marks replaced", () => {
    const wrap = encode("address, uint256", [router, 10n ** 18n]);
    expect(sentences(codes(0x0b, 0x00), [wrap, v3Swap])).toEqual([
      `Wraps 1 ETH for the contract ${to}`,
      "Swaps 1 WETH for at least 3000 USDC, sent to you",
    ]);
    expect(decode(codes(0x0b, 0x00), [wrap, v3Swap])).toMatchObject({
      complete: true,
      steps: [{ roles: { recipient: to } }, { roles: { recipient: from }, mayFail: false }],
    });
  });

  test("is read in the layout of each version", () => {
    const types = "address, uint256, uint256, bytes, bool, ";
    const values = [from, 10n ** 18n, 1n, path, true];
    for (const input of [
      encode(`${types}uint256[]`, [...values, [7n]]),
      encode(`${types}bool`, [...values, true]),
    ])
      expect(decode(codes(0x80), [input])).toMatchObject({ complete: true, steps: [{ mayFail: true }] });
  });

  test("holds the programs inside of it", () => {
    const single = encode(`(${v4Types}, bool, uint128, uint128, bytes)`, [[v4Key, true, 5n, 4n, "0x"]]);
    const take = encode("address, address, uint256", [usdc, sender, 0n]);
    const v4 = encode("bytes, bytes[]", [codes(0x06, 0x0e), [single, take]]);
    const plan = encode("bytes, bytes[]", [codes(0x10), [v4]]);
    const program = decode(codes(0x21), [plan]);
    expect(program.complete).toBe(true);
    expect(program.steps[0]?.inner[0]?.inner.map(({ name }) => name)).toEqual([
      "SWAP_EXACT_IN_SINGLE",
      "TAKE",
    ]);
    expect(program.steps[0]?.inner[0]?.inner[1]?.roles.recipient).toBe(from);
  });

  test("marks a step that earlier routers number differently", () => {
    const types =
      "address, address, address, address, uint256, uint256, uint256, address, uint32, uint32, uint32, bytes, bool";
    const deposit = encode(types, [from, from, usdc, usdc, 5n, 4n, 10n, none, 1, 2, 3, "0x", false]);
    expect(decode(codes(0x40), [deposit]).steps[0]).toMatchObject({
      name: "ACROSS_V4_DEPOSIT_V3",
      dependsOnVersion: true,
    });
    // Six bits of the same number are a V3 swap, and seven are not.
    expect(decode(codes(0x40), [v3Swap]).complete).toBe(false);
  });

  test("is not complete when anything in it is not known", () => {
    expect(decode(codes(0x3f), ["0x"]).complete).toBe(false);
    expect(decode(codes(0x00), [`${v3Swap}00`]).complete).toBe(false);
    expect(decode(codes(0x00, 0x00), [v3Swap]).complete).toBe(false);
    expect(decode(codes(0x10), [encode("bytes, bytes[]", ["0xff", ["0x"]])]).complete).toBe(false);
    let deep = encode("bytes, bytes[]", [codes(0x00), [v3Swap]]);
    for (let level = 0; level < 4; level += 1) deep = encode("bytes, bytes[]", [codes(0x21), [deep]]);
    expect(decode(codes(0x21), [deep]).complete).toBe(false);
  });

  test("is the same for v4's position manager", () => {
    const mint = encode(`${v4Types}, int24, int24, uint256, uint128, uint128, address, bytes`, [
      v4Key,
      -10,
      10,
      1n,
      2n,
      3n,
      from,
      "0x",
    ]);
    expect(decodeV4Program(codes(0x02), [mint], tokens, { from, to })).toMatchObject({
      complete: true,
      steps: [{ name: "MINT_POSITION", roles: { recipient: expect.stringMatching(new RegExp(from, "i")) } }],
    });
  });
});
