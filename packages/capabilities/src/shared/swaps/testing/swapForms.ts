import fc from "fast-check";
import { type Abi, concatHex, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import { WETH } from "../../chain-facts/knownContracts.js";
import { type DecodedSwap, decodeSwap } from "../decodeSwap.js";
import { baseSwapRouters, type SwapRouter, type SwapRouterKind } from "../swapRouters.js";

export const address = (tail: string): Hex => `0x${tail.padStart(40, "a")}`;
export const ALICE = address("11");
export const BOB = address("22");
export const FACTORY = "0x420dd381b31aef6683db6b902084cb0ffece40da";
export const routers: readonly SwapRouter[] = [
  ...baseSwapRouters,
  { kind: "swap_router", address: address("0dd"), factories: [] },
];
export const routerOf = (kind: SwapRouterKind): Hex =>
  (routers.find((router) => router.kind === kind) as SwapRouter).address as Hex;

export function decode(to: Hex, data: Hex, value = 0n): DecodedSwap {
  const decoded = decodeSwap({ from: ALICE, to, data, value: value.toString() }, routers);
  if ("unsupported" in decoded) throw new Error(`${decoded.unsupported.field} ${decoded.unsupported.rule}`);
  return decoded.swap;
}
export const refusalOf = (to: Hex, data: Hex) => {
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
export const anySwap = fc.record({
  path: anyPath,
  fees: fc.array(anyFee, { minLength: 4, maxLength: 4 }),
  exact: anyAmount,
  limit: anyAmount,
  recipient: anyAddress,
  deadline: fc.bigInt({ min: 0n, max: 2n ** 64n }),
});
export type AnySwap = typeof anySwap extends fc.Arbitrary<infer T> ? T : never;

const pack = (path: readonly Hex[], fees: readonly number[]): Hex =>
  concatHex(
    path.flatMap((token, i) => (i === 0 ? [token] : [numberToHex(fees[i - 1] ?? 0, { size: 3 }), token])),
  );
export const hopsOf = (path: readonly Hex[]) =>
  path.slice(1).map((tokenOut, index) => ({ tokenIn: path[index], tokenOut }));

export interface Form {
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

export const forms: Form[] = [
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

const abis = new Map(
  forms.map(({ signature }) => [signature, parseAbi([`function ${signature}`] as readonly string[]) as Abi]),
);
export const encode = ({ signature, args }: Form, swap: AnySwap): Hex =>
  encodeFunctionData({ abi: abis.get(signature) as Abi, args: args(swap) });

/** The path as this function can take it. */
export const fit = ({ native, isSingle }: Form, swap: AnySwap): AnySwap => {
  const path = isSingle ? swap.path.slice(0, 2) : [...swap.path];
  if (native === "in") path[0] = WETH;
  if (native === "out") path[path.length - 1] = WETH;
  return { ...swap, path };
};
