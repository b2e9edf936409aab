import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, encodeFunctionData, encodePacked, parseAbi, parseAbiParameters } from "viem";
import { describe, expect, test } from "vitest";
import { PERMIT2, WETH } from "../chain-facts/knownContracts.js";
import { decodeSwap } from "./decodeSwap.js";
import { encodeResale } from "./encodeResale.js";
import { baseSwapRouters, type SwapRouter, type SwapRouterKind } from "./swapRouters.js";

const FROM: Hex = `0x${"11".repeat(20)}`;
const OTHER: Hex = `0x${"99".repeat(20)}`;
const [PAID, MIDDLE, BOUGHT]: Hex[] = ["22", "33", "44"].map((byte): Hex => `0x${byte.repeat(20)}`);
const routers: readonly SwapRouter[] = [
  ...baseSwapRouters,
  { kind: "swap_router", address: `0x${"55".repeat(20)}`, factories: [] },
];
const FACTORY = "0x420dd381b31aef6683db6b902084cb0ffece40da";

const getRouter = (kind: SwapRouterKind) => {
  const router = routers.find((one) => one.kind === kind);
  if (!router) throw new Error(`no ${kind}`);
  return router;
};

function decode(kind: SwapRouterKind, data: Hex, value = "0") {
  const router = getRouter(kind);
  const decoded = decodeSwap({ from: FROM, to: router.address as Hex, data, value }, [router]);
  if ("unsupported" in decoded) throw new Error(decoded.unsupported.rule);
  return decoded.swap;
}
const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as never), args } as never);

const purchases: Record<SwapRouterKind, (recipient: Hex, minimum: bigint) => Hex> = {
  uniswap_v2: (to, minimum) =>
    encode(
      "swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
      [500n, minimum, [PAID, MIDDLE, BOUGHT], to, 9n],
    ),
  aerodrome: (to, minimum) =>
    encode(
      "swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, (address from, address to, bool stable, address factory)[] routes, address to, uint256 deadline)",
      [
        500n,
        minimum,
        [
          { from: PAID, to: MIDDLE, stable: true, factory: FACTORY },
          { from: MIDDLE, to: BOUGHT, stable: false, factory: FACTORY },
        ],
        to,
        9n,
      ],
    ),
  swap_router_02: (recipient, amountOutMinimum) =>
    encode("exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)", [
      { path: forwards, recipient, amountIn: 500n, amountOutMinimum },
    ]),
  swap_router: (recipient, amountOutMinimum) =>
    encode(
      "exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params)",
      [{ path: forwards, recipient, deadline: 9n, amountIn: 500n, amountOutMinimum }],
    ),
  slipstream: (recipient, amountOutMinimum) =>
    encode(
      "exactInputSingle((address tokenIn, address tokenOut, int24 tickSpacing, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
      [
        {
          tokenIn: PAID,
          tokenOut: BOUGHT,
          tickSpacing: -100,
          recipient,
          deadline: 9n,
          amountIn: 500n,
          amountOutMinimum,
          sqrtPriceLimitX96: 0n,
        },
      ],
    ),
  universal_router: (recipient, minimum) =>
    encode("execute(bytes commands, bytes[] inputs, uint256 deadline)", [
      "0x00",
      [write("address, uint256, uint256, bytes, bool", [recipient, 500n, minimum, forwards, true])],
      9n,
    ]),
};
const write = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types) as never, values as never);
const forwards = encodePacked(
  ["address", "uint24", "address", "uint24", "address"],
  [PAID as Hex, 500, MIDDLE as Hex, 3000, BOUGHT as Hex],
);

describe("part of what a swap buys is sold back the way it came", () => {
  test.each(Object.keys(purchases) as SwapRouterKind[])("on a %s router", (kind) => {
    const router = getRouter(kind);
    const bought = decode(kind, purchases[kind](FROM, 101n));
    const resale = encodeResale(bought, { from: FROM, to: router.address as Hex });
    expect(resale).toMatchObject({ amount: 50n, sale: { to: router.address } });
    const spender = kind === "universal_router" ? PERMIT2 : router.address;
    expect(resale?.approvals[0]).toEqual({
      to: BOUGHT,
      data: encode("approve(address spender, uint256 amount)", [spender, 50n]),
    });
    expect(resale?.approvals).toHaveLength(kind === "universal_router" ? 2 : 1);
    // Aerodrome's function for taxed tokens is none that a caller's swap may use here, but it takes the same arguments.
    const data = resale?.sale.data.replace(/^0x88cd821e/, "0xcac88ea9") as Hex;
    const sold = decode(kind, data);
    expect(sold).toMatchObject({ kind: "exactIn", amountIn: 50n, amountOut: 0n, recipient: FROM });
    const back = [...bought.hops].reverse();
    expect(sold.hops).toEqual(
      back.map(({ tokenIn, tokenOut, ...pool }) => ({ ...pool, tokenIn: tokenOut, tokenOut: tokenIn })),
    );
    if (kind === "uniswap_v2") expect(sold.toleratesTransferFees).toBe(true);
  });

  test("for the wrapped token, where native value was paid", () => {
    const data = encode("swapExactETHForTokens(uint256 m, address[] path, address to, uint256 d)", [
      7n,
      [WETH, BOUGHT],
      FROM,
      9n,
    ]);
    const swap = decode("uniswap_v2", data, "1000");
    const resale = encodeResale(swap, { from: FROM, to: getRouter("uniswap_v2").address as Hex });
    expect(decode("uniswap_v2", resale?.sale.data as Hex)).toMatchObject({
      amountIn: 3n,
      tokenOut: WETH,
      isNativeOut: false,
    });
  });
});

test("one unit at least is sold, and nothing where nothing, ether or another's is bought", () => {
  const to = getRouter("uniswap_v2").address as Hex;
  const resaleOf = (data: Hex) => encodeResale(decode("uniswap_v2", data), { from: FROM, to });
  expect(resaleOf(purchases.uniswap_v2(FROM, 1n))?.amount).toBe(1n);
  expect(resaleOf(purchases.uniswap_v2(FROM, 0n))).toBeNull();
  expect(resaleOf(purchases.uniswap_v2(OTHER, 100n))).toBeNull();
  const forEther = encode(
    "swapExactTokensForETH(uint256 a, uint256 m, address[] path, address to, uint256 d)",
    [5n, 5n, [PAID, WETH], FROM, 9n],
  );
  expect(resaleOf(forEther)).toBeNull();
});
