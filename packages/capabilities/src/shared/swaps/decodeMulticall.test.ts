import fc from "fast-check";
import { type Abi, concatHex, encodeFunctionData, type Hex, numberToHex, pad, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { WETH } from "../chain-facts/knownContracts.js";
import {
  ALICE,
  type AnySwap,
  address,
  BOB,
  decode,
  encode,
  FACTORY,
  type Form,
  forms,
  refusalOf,
  routerOf,
  routers,
} from "./testing/swapForms.js";

const v3 = parseAbi([
  "function multicall(bytes[] data)",
  "function multicall(uint256 deadline, bytes[] data)",
  "function multicall(bytes32 previousBlockhash, bytes[] data)",
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function refundETH()",
  "function sweepToken(address token, uint256 amountMinimum, address recipient)",
  "function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);
const USDC = address("33");
const DAI = address("44");
const single = forms.find(({ selector }) => selector === "0x04e45aaf") as Form;
const olderSingle = forms.find(({ selector }) => selector === "0x414bf389") as Form;
const plain: AnySwap = {
  path: [USDC, DAI],
  fees: [500, 500, 500, 500],
  exact: 1000n,
  limit: 990n,
  recipient: ALICE,
  deadline: 5000n,
};
const ROUTER_02 = routerOf("swap_router_02");
const number = (value: bigint): Hex => numberToHex(value, { size: 20 });
const swapTo = (recipient: Hex, changes: Partial<AnySwap> = {}) =>
  encode(single, { ...plain, recipient, ...changes });
const unwrap = (minimum: bigint, recipient: Hex) =>
  encodeFunctionData({ abi: v3, functionName: "unwrapWETH9", args: [minimum, recipient] });
const sweep = (token: Hex, minimum: bigint, recipient: Hex) =>
  encodeFunctionData({ abi: v3, functionName: "sweepToken", args: [token, minimum, recipient] });
const refund = encodeFunctionData({ abi: v3, functionName: "refundETH" });
const permit = encodeFunctionData({
  abi: v3,
  functionName: "selfPermit",
  args: [USDC, 1n, 2n, 27, pad("0x1"), pad("0x2")],
});
const many = (calls: readonly Hex[]) =>
  encodeFunctionData({ abi: v3, functionName: "multicall", args: [calls] });
const manyUntil = (deadline: bigint, calls: readonly Hex[]) =>
  encodeFunctionData({ abi: v3, functionName: "multicall", args: [deadline, calls] });
const manyAfter = (hash: Hex, calls: readonly Hex[]) =>
  encodeFunctionData({ abi: v3, functionName: "multicall", args: [hash, calls] });

describe("recipients", () => {
  test("of SwapRouter02: 1 is the sender, 2 the router", () => {
    expect(decode(ROUTER_02, swapTo(number(1n))).recipient).toBe(ALICE);
    expect(decode(ROUTER_02, swapTo(number(2n))).recipient).toBe(ROUTER_02);
    expect(decode(ROUTER_02, swapTo(number(0n))).recipient).toBe(number(0n));
  });

  test("of the older router: 0 is the router, 1 and 2 have no special meaning", () => {
    const to = (recipient: Hex) =>
      decode(routerOf("swap_router"), encode(olderSingle, { ...plain, recipient }));
    expect(to(number(0n)).recipient).toBe(routerOf("swap_router"));
    expect(to(number(1n)).recipient).toBe(number(1n));
    expect(to(number(2n)).recipient).toBe(number(2n));
  });
});

describe("multicalls", () => {
  test.each([
    ["multicall(bytes[])", many([swapTo(ALICE)]), "0xac9650d8", null],
    ["with a deadline", manyUntil(77n, [swapTo(ALICE)]), "0x5ae401dc", 77n],
    ["with a block hash", manyAfter(pad("0x9"), [swapTo(ALICE)]), "0x1f0464d1", null],
  ])("%s", (_, data, form, deadline) => {
    expect(decode(ROUTER_02, data)).toMatchObject({
      amountIn: 1000n,
      amountOut: 990n,
      recipient: ALICE,
      deadline,
      multicall: { form, others: [], swapIndex: 0 },
    });
  });

  test("the deadline of a swap inside counts where the multicall has none", () => {
    const inner = encode(olderSingle, plain);
    expect(decode(routerOf("swap_router"), many([inner])).deadline).toBe(5000n);
  });

  test("an unwrapping after the swap takes wrapped native tokens on, with the higher minimum", () => {
    const swap = swapTo(number(2n), { path: [USDC, WETH] });
    const wrapped = { tokenOut: WETH, isNativeOut: true, recipient: BOB, otherRecipients: [] };
    expect(decode(ROUTER_02, many([swap, unwrap(995n, BOB)]))).toMatchObject({ ...wrapped, amountOut: 995n });
    expect(decode(ROUTER_02, many([swap, unwrap(1n, BOB)]))).toMatchObject({ ...wrapped, amountOut: 990n });
  });

  test("an unwrapping that does not concern the output moves nothing on, but its recipient is reported", () => {
    const left = { recipient: ROUTER_02, isNativeOut: false, otherRecipients: [BOB], amountOut: 990n };
    expect(decode(ROUTER_02, many([swapTo(number(2n)), unwrap(995n, BOB)]))).toMatchObject(left);
    const before = many([unwrap(0n, BOB), swapTo(number(2n), { path: [USDC, WETH] })]);
    expect(decode(ROUTER_02, before)).toMatchObject(left);
  });

  test("a sweep takes the output on; one of another token does not", () => {
    expect(decode(ROUTER_02, many([permit, swapTo(number(2n)), sweep(DAI, 991n, BOB)]))).toMatchObject({
      recipient: BOB,
      amountOut: 991n,
      multicall: { others: ["selfPermit", "sweepToken"], swapIndex: 1 },
    });
    expect(decode(ROUTER_02, many([swapTo(number(2n)), sweep(USDC, 0n, BOB)]))).toMatchObject({
      recipient: ROUTER_02,
      otherRecipients: [BOB],
    });
  });

  test("value pays where the input is the wrapped native token and the value covers it", () => {
    const path: Hex[] = [WETH, DAI];
    const data = many([swapTo(ALICE, { path }), refund]);
    expect(decode(ROUTER_02, data, 1000n).isNativeIn).toBe(true);
    expect(decode(ROUTER_02, data, 999n).isNativeIn).toBe(false);
    expect(decode(ROUTER_02, data, 0n).isNativeIn).toBe(false);
    expect(decode(ROUTER_02, many([swapTo(ALICE)]), 1000n).isNativeIn).toBe(false);
  });
});

describe("what is not supported is named", () => {
  const V2 = routerOf("uniswap_v2");
  const v2Of = (selector: string) => forms.find((form) => form.selector === selector) as Form;
  const aerodrome = v2Of("0xcac88ea9");
  const longPath = Array.from({ length: 10 }, (_, index) => address(`5${index}`));
  const routesVia = (routes: readonly (readonly unknown[])[]) =>
    encodeFunctionData({
      abi: parseAbi([`function ${aerodrome.signature}`] as readonly string[]) as Abi,
      args: [1n, 1n, routes, ALICE, 1n],
    });
  const cases: [string, Hex, Hex, string][] = [
    ["another address", BOB, swapTo(ALICE), "to is not a router that this guard supports"],
    ["no selector", V2, "0x1234", "data holds a call without a function selector"],
    [
      "another function",
      V2,
      "0xdeadbeef",
      "data calls 0xdeadbeef, which is no supported function of a uniswap_v2 router",
    ],
    ["another router's function", V2, swapTo(ALICE), "data calls 0x04e45aaf, which is no supported function"],
    ["a helper alone", ROUTER_02, refund, "data calls refundETH and holds no swap"],
    ["a classic router's multicall", V2, many([]), "data calls 0xac9650d8, which is no supported function"],
    [
      "a deadline multicall on the older router",
      routerOf("swap_router"),
      manyUntil(1n, []),
      "data calls 0x5ae401dc",
    ],
    ["no swap", ROUTER_02, many([refund]), "data holds 0 swaps, and exactly one is supported"],
    [
      "two swaps",
      ROUTER_02,
      many([swapTo(ALICE), swapTo(BOB)]),
      "data holds 2 swaps, and exactly one is supported",
    ],
    [
      "too many calls",
      ROUTER_02,
      many(Array(9).fill(refund)),
      "data holds 9 calls, more than the 8 supported",
    ],
    [
      "a multicall in a multicall",
      ROUTER_02,
      many([many([swapTo(ALICE)])]),
      "data holds a multicall inside a multicall",
    ],
    [
      "an unknown call beside the swap",
      ROUTER_02,
      many([swapTo(ALICE), "0xdeadbeef"]),
      "data calls 0xdeadbeef",
    ],
    [
      "the router's own balance",
      ROUTER_02,
      swapTo(ALICE, { exact: 0n }),
      "data swaps what the router itself holds",
    ],
    [
      "cut arguments",
      V2,
      encode(v2Of("0x38ed1739"), plain).slice(0, 100) as Hex,
      "data calls swapExactTokensForTokens with arguments that cannot be decoded",
    ],
    [
      "a path of one token",
      V2,
      encode(v2Of("0x38ed1739"), { ...plain, path: [USDC] }),
      "data has a path without a pool",
    ],
    [
      "a path in a circle",
      V2,
      encode(v2Of("0x38ed1739"), { ...plain, path: [USDC, DAI, USDC] }),
      "data has a path that ends in the token it begins with",
    ],
    [
      "a long path",
      V2,
      encode(v2Of("0x38ed1739"), { ...plain, path: longPath }),
      "data has a path of 9 pools",
    ],
    [
      "native value along other tokens",
      V2,
      encode(v2Of("0x7ff36ab5"), plain),
      "data swaps native value along a path without the wrapped native token",
    ],
    [
      "an unknown pool factory",
      routerOf("aerodrome"),
      routesVia([[USDC, DAI, false, BOB]]),
      "data has a route through a pool factory that is not a known one",
    ],
    [
      "no pool factory",
      routerOf("aerodrome"),
      routesVia([[USDC, DAI, false, number(0n)]]),
      "data has a route through a pool factory",
    ],
    [
      "broken routes",
      routerOf("aerodrome"),
      routesVia([
        [USDC, DAI, false, FACTORY],
        [BOB, ALICE, false, FACTORY],
      ]),
      "data has routes that do not follow one another",
    ],
    [
      "a torn path",
      ROUTER_02,
      encode(
        {
          ...(forms.find(({ selector }) => selector === "0xb858183f") as Form),
          args: () => [["0x1234", ALICE, 1n, 1n]],
        },
        plain,
      ),
      "data has a path that is not tokens with fees between them",
    ],
  ];
  test.each(cases)("%s", (_, to, data, sentence) => {
    expect(refusalOf(to, data)).toContain(sentence);
  });

  test("bytes after the arguments are let be, as the routers let them be", () => {
    expect(decode(ROUTER_02, concatHex([swapTo(ALICE), "0xc0ffee"])).amountIn).toBe(1000n);
  });

  test("for any data, nothing else is thrown", () => {
    const anyBytes = fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Hex);
    const selectors = [
      ...forms.map(({ selector }) => selector),
      "0xac9650d8",
      "0x5ae401dc",
      "0x1f0464d1",
    ] as Hex[];
    fc.assert(
      fc.property(
        fc.constantFrom(...routers),
        fc.constantFrom(...selectors),
        anyBytes,
        (router, selector, tail) => {
          expect(() => refusalOf(router.address as Hex, concatHex([selector, tail]))).not.toThrow();
        },
      ),
    );
  });

  test("offsets that make 128 KB stand for gigabytes are refused at once", () => {
    const word = (value: number) => value.toString(16).padStart(64, "0");
    const items = 2000;
    const body = "00".repeat(131_072 - 4 - 32 * (items + 3));
    const offsets = word(items * 32).repeat(items);
    const data = `0xac9650d8${word(32)}${word(items)}${offsets}${word(body.length / 2)}${body}` as Hex;
    const before = process.cpuUsage();
    expect(refusalOf(ROUTER_02, data)).toBe("data calls multicall with arguments that cannot be decoded");
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});
