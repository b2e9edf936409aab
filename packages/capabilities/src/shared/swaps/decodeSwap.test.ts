import fc from "fast-check";
import {
  type Abi,
  concatHex,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  toFunctionSelector,
} from "viem";
import { describe, expect, test } from "vitest";
import { WETH } from "../chain-facts/knownContracts.js";
import { type DecodedSwap, decodeSwap } from "./decodeSwap.js";
import { encodeSmallSwap } from "./encodeSmallSwap.js";
import { baseSwapRouters, type SwapRouter, type SwapRouterKind } from "./swapRouters.js";

const address = (tail: string): Hex => `0x${tail.padStart(40, "a")}`;
const ALICE = address("11");
const BOB = address("22");
const FACTORY = "0x420dd381b31aef6683db6b902084cb0ffece40da";
const routers: readonly SwapRouter[] = [
  ...baseSwapRouters,
  { kind: "swap_router", address: address("0dd"), factories: [] },
];
const routerOf = (kind: SwapRouterKind): Hex =>
  (routers.find((router) => router.kind === kind) as SwapRouter).address as Hex;

function decode(to: Hex, data: Hex, value = 0n): DecodedSwap {
  const decoded = decodeSwap({ from: ALICE, to, data, value: value.toString() }, routers);
  if ("unsupported" in decoded) throw new Error(`${decoded.unsupported.field} ${decoded.unsupported.rule}`);
  return decoded.swap;
}
const refusalOf = (to: Hex, data: Hex) => {
  const decoded = decodeSwap({ from: ALICE, to, data, value: "0" }, routers);
  return "unsupported" in decoded ? `${decoded.unsupported.field} ${decoded.unsupported.rule}` : undefined;
};

const anyAddress = fc
  .tuple(fc.bigInt({ min: 1000n, max: 2n ** 160n - 1n }))
  .map(([number]) => numberToHex(number, { size: 20 }));
const anyAmount = fc.bigInt({ min: 1n, max: 2n ** 128n });
/** Two to five different tokens, none of them the wrapped native one. */
const anyPath = fc
  .uniqueArray(anyAddress, { minLength: 2, maxLength: 5 })
  .filter((path) => !path.includes(WETH));
const anyFee = fc.constantFrom(100, 500, 3000, 10_000);
const anySwap = fc.record({
  path: anyPath,
  fees: fc.array(anyFee, { minLength: 4, maxLength: 4 }),
  exact: anyAmount,
  limit: anyAmount,
  recipient: anyAddress,
  deadline: fc.bigInt({ min: 0n, max: 2n ** 64n }),
});
type AnySwap = typeof anySwap extends fc.Arbitrary<infer T> ? T : never;

const pack = (path: readonly Hex[], fees: readonly number[]): Hex =>
  concatHex(
    path.flatMap((token, i) => (i === 0 ? [token] : [numberToHex(fees[i - 1] ?? 0, { size: 3 }), token])),
  );
const hopsOf = (path: readonly Hex[]) =>
  path.slice(1).map((tokenOut, index) => ({ tokenIn: path[index], tokenOut }));

interface Form {
  readonly selector: Hex;
  readonly router: SwapRouterKind;
  readonly signature: string;
  readonly kind: "exactIn" | "exactOut";
  /** What the function takes for this swap; native ones are given a path with the wrapped token where it belongs. */
  args(swap: AnySwap): readonly unknown[];
  readonly valueIs?: "exact" | "limit";
  readonly native?: "in" | "out";
  readonly hasDeadline?: boolean;
  readonly isSingle?: boolean;
}

const v2Forms: Form[] = (
  [
    ["0x38ed1739", "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", "exactIn"],
    ["0x8803dbee", "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)", "exactOut"],
    ["0x7ff36ab5", "swapExactETHForTokens(uint256,address[],address,uint256)", "exactIn"],
    ["0x18cbafe5", "swapExactTokensForETH(uint256,uint256,address[],address,uint256)", "exactIn"],
    ["0x4a25d94a", "swapTokensForExactETH(uint256,uint256,address[],address,uint256)", "exactOut"],
    ["0xfb3bdb41", "swapETHForExactTokens(uint256,address[],address,uint256)", "exactOut"],
    [
      "0x5c11d795",
      "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
      "exactIn",
    ],
    [
      "0xb6f9de95",
      "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)",
      "exactIn",
    ],
    [
      "0x791ac947",
      "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
      "exactIn",
    ],
  ] as const
).map(([selector, signature, kind]): Form => {
  const takesValue = /^swap(Exact)?ETH/.test(signature);
  const valueIs = kind === "exactIn" ? "exact" : "limit";
  return {
    selector,
    router: "uniswap_v2",
    signature,
    kind,
    ...(takesValue && { valueIs, native: "in" }),
    ...(/For(Exact)?ETH/.test(signature) && { native: "out" }),
    hasDeadline: true,
    args: ({ path, exact, limit, recipient, deadline }) => [
      ...(!takesValue ? [exact, limit] : kind === "exactIn" ? [limit] : [exact]),
      path,
      recipient,
      deadline,
    ],
  };
});

/** The four functions of a concentrated router, with or without a deadline among their arguments. */
const v3Forms = (router: SwapRouterKind, selectors: readonly Hex[], hasDeadline: boolean): Form[] =>
  (["exactInputSingle", "exactInput", "exactOutputSingle", "exactOutput"] as const).map((name, index) => {
    const isSingle = name.endsWith("Single");
    const kind = name.startsWith("exactInput") ? "exactIn" : "exactOut";
    const deadlineType = hasDeadline ? "uint256," : "";
    const types = isSingle
      ? `(address,address,uint24,address,${deadlineType}uint256,uint256,uint160)`
      : `(bytes,address,${deadlineType}uint256,uint256)`;
    return {
      selector: selectors[index] as Hex,
      router,
      signature: `${name}(${types})`,
      kind,
      hasDeadline,
      isSingle,
      args: ({ path, fees, exact, limit, recipient, deadline }) => {
        const used = fees.slice(0, path.length - 1);
        const way = isSingle
          ? [path[0], path[1], fees[0]]
          : [kind === "exactIn" ? pack(path, used) : pack([...path].reverse(), [...used].reverse())];
        return [
          [...way, recipient, ...(hasDeadline ? [deadline] : []), exact, limit, ...(isSingle ? [0n] : [])],
        ];
      },
    };
  });

const forms: Form[] = [
  ...v2Forms,
  {
    selector: "0xcac88ea9",
    router: "aerodrome",
    signature: "swapExactTokensForTokens(uint256,uint256,(address,address,bool,address)[],address,uint256)",
    kind: "exactIn",
    hasDeadline: true,
    args: ({ path, exact, limit, recipient, deadline }) => [
      exact,
      limit,
      hopsOf(path).map(({ tokenIn, tokenOut }) => [tokenIn, tokenOut, false, FACTORY]),
      recipient,
      deadline,
    ],
  },
  ...v3Forms("swap_router_02", ["0x04e45aaf", "0xb858183f", "0x5023b4df", "0x09b81346"], false),
  ...v3Forms("swap_router", ["0x414bf389", "0xc04b8d59", "0xdb3e2198", "0xf28c0498"], true),
  {
    selector: "0xa026383e",
    router: "slipstream",
    signature: "exactInputSingle((address,address,int24,address,uint256,uint256,uint256,uint160))",
    kind: "exactIn",
    hasDeadline: true,
    isSingle: true,
    args: ({ path, exact, limit, recipient, deadline }) => [
      [path[0], path[1], 200, recipient, deadline, exact, limit, 0n],
    ],
  },
];

const encode = (form: Form, swap: AnySwap): Hex => {
  const abi = parseAbi([`function ${form.signature}`] as readonly string[]) as Abi;
  return encodeFunctionData({ abi, args: form.args(swap) });
};

/** The path as this function can take it. */
const fit = ({ native, isSingle }: Form, swap: AnySwap): AnySwap => {
  const path = isSingle ? swap.path.slice(0, 2) : [...swap.path];
  if (native === "in") path[0] = WETH;
  if (native === "out") path[path.length - 1] = WETH;
  return { ...swap, path };
};

describe("every supported function", () => {
  test("is one of the selectors the guard promises", () => {
    for (const { selector, signature } of forms) expect(toFunctionSelector(signature)).toBe(selector);
    expect(new Set(forms.map(({ selector, router }) => selector + router)).size).toBe(19);
  });

  test.each(forms.map((form) => [form.selector, form.router, form] as const))(
    "%s of %s decodes to what was encoded",
    (_selector, router, form) => {
      fc.assert(
        fc.property(anySwap, (any) => {
          const swap = fit(form, any);
          const value = form.valueIs ? swap[form.valueIs] : 0n;
          const decoded = decode(routerOf(router), encode(form, swap), value);
          expect(decoded).toMatchObject({
            routerKind: router,
            kind: form.kind,
            tokenIn: swap.path[0],
            tokenOut: swap.path.at(-1),
            isNativeIn: form.native === "in",
            isNativeOut: form.native === "out",
            amountIn: form.kind === "exactIn" ? swap.exact : swap.limit,
            amountOut: form.kind === "exactIn" ? swap.limit : swap.exact,
            recipient: swap.recipient,
            otherRecipients: [],
            deadline: form.hasDeadline ? swap.deadline : null,
            toleratesTransferFees: form.signature.includes("FeeOnTransfer"),
            multicall: null,
          });
          expect(decoded.hops).toMatchObject(hopsOf(swap.path));
          if (router === "swap_router_02" || router === "swap_router")
            expect(decoded.hops.map(({ fee }) => fee)).toEqual(swap.fees.slice(0, swap.path.length - 1));
        }),
        { numRuns: 40 },
      );
    },
  );

  test.each(forms.map((form) => [form.selector, form.router, form] as const))(
    "%s of %s has a hundredth that decodes to the same swap without its limit",
    (_selector, router, form) => {
      fc.assert(
        fc.property(anySwap, (any) => {
          const swap = fit(form, any);
          const value = (form.valueIs ? swap[form.valueIs] : 0n).toString();
          const whole = decode(routerOf(router), encode(form, swap), BigInt(value));
          const given = { from: ALICE, to: routerOf(router), data: encode(form, swap), value };
          const small = encodeSmallSwap(whole, given);
          if (swap.exact < 100n) {
            expect(small).toBeNull();
            return;
          }
          const { data, value: sent } = small as NonNullable<typeof small>;
          const decoded = decode(routerOf(router), data, BigInt(sent));
          const isExactIn = form.kind === "exactIn";
          expect(decoded).toMatchObject({
            hops: whole.hops,
            functionName: whole.functionName,
            isNativeIn: whole.isNativeIn,
            isNativeOut: whole.isNativeOut,
            recipient: ALICE,
            amountIn: isExactIn ? swap.exact / 100n : swap.limit,
            amountOut: isExactIn ? 0n : swap.exact / 100n,
          });
        }),
        { numRuns: 20 },
      );
    },
  );
});

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
    const startedAt = performance.now();
    expect(refusalOf(ROUTER_02, data)).toBe("data calls multicall with arguments that cannot be decoded");
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

test.each<[string, string, bigint, boolean, boolean, boolean]>([
  ["0x903638a4", "swapExactETHForTokens(uint256,R,address,uint256)", 7n, true, false, false],
  [
    "0x3da5acba",
    "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,R,address,uint256)",
    7n,
    true,
    false,
    true,
  ],
  ["0xc6b7f1b6", "swapExactTokensForETH(uint256,uint256,R,address,uint256)", 0n, false, true, false],
  [
    "0x12bc3aca",
    "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,R,address,uint256)",
    0n,
    false,
    true,
    true,
  ],
  [
    "0x88cd821e",
    "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,R,address,uint256)",
    0n,
    false,
    false,
    true,
  ],
])(
  "Aerodrome's %s is decoded with its native side and its tolerance",
  (selector, signature, value, nativeIn, nativeOut, tolerates) => {
    const abi = parseAbi([
      `function ${signature.replace("R", "(address,address,bool,address)[]")}`,
    ] as readonly string[]) as Abi;
    const weth = "0x4200000000000000000000000000000000000006";
    const other = `0x${"77".repeat(20)}`;
    const [give, take] = nativeIn ? [weth, other] : [other, weth];
    const routes = [[give, take, true, FACTORY]];
    const amounts = value === 0n ? [7n, 5n] : [5n];
    const sender: Hex = `0x${"11".repeat(20)}`;
    const data = encodeFunctionData({ abi, args: [...amounts, routes, sender, 9n] });
    expect(data.startsWith(selector)).toBe(true);
    const to = routerOf("aerodrome");
    const decoded = decodeSwap({ from: sender, to, data, value: value.toString() }, routers);
    expect(decoded).toMatchObject({
      swap: {
        amountIn: 7n,
        amountOut: 5n,
        tokenIn: give,
        tokenOut: take,
        isNativeIn: nativeIn,
        isNativeOut: nativeOut,
        toleratesTransferFees: tolerates,
        hops: [{ stable: true }],
      },
    });
  },
);
