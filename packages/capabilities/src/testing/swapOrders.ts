import type { Hex } from "@assay/protocol";
import { concatHex, encodeFunctionData, numberToHex } from "viem";
import { olderV3Abi, ROUTER_SENTINEL, SENDER_SENTINEL, v2Abi, v3Abi } from "./swapAbi.js";

/** A transaction as the swap guards are asked about it. */
export interface Transaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  /** Wei, decimal. */
  readonly value: string;
}

/** The sender, the router and the deadline of a swap, and its recipient where that is not the sender. */
export interface SwapScene {
  readonly from: Hex;
  readonly router: Hex;
  readonly deadline: bigint;
  readonly recipient?: Hex;
}

/** A function with one exact amount and one limit, over a path of tokens. */
export type SwapOrder = (scene: SwapScene, path: readonly Hex[], exact: bigint, limit: bigint) => Transaction;

const transaction = ({ from, router }: SwapScene, data: Hex, value = 0n): Transaction => ({
  from,
  to: router,
  data,
  value: value.toString(),
});

const v2 =
  (functionName: (typeof v2Abi)[number]["name"], valueIs?: "exact" | "limit"): SwapOrder =>
  (scene, path, exact, limit) => {
    // The functions that are sent value have one amount less among their arguments.
    const amounts = valueIs === "exact" ? [limit] : valueIs === "limit" ? [exact] : [exact, limit];
    const args = [...amounts, path, scene.recipient ?? scene.from, scene.deadline];
    const data = encodeFunctionData({ abi: v2Abi, functionName, args: args as never });
    return transaction(scene, data, valueIs === "exact" ? exact : valueIs === "limit" ? limit : 0n);
  };

export const v2Orders = {
  swapExactTokensForTokens: v2("swapExactTokensForTokens"),
  swapTokensForExactTokens: v2("swapTokensForExactTokens"),
  swapExactETHForTokens: v2("swapExactETHForTokens", "exact"),
  swapExactTokensForETH: v2("swapExactTokensForETH"),
  swapTokensForExactETH: v2("swapTokensForExactETH"),
  swapETHForExactTokens: v2("swapETHForExactTokens", "limit"),
  swapExactTokensForTokensSupportingFeeOnTransferTokens: v2(
    "swapExactTokensForTokensSupportingFeeOnTransferTokens",
  ),
  swapExactETHForTokensSupportingFeeOnTransferTokens: v2(
    "swapExactETHForTokensSupportingFeeOnTransferTokens",
    "exact",
  ),
  swapExactTokensForETHSupportingFeeOnTransferTokens: v2(
    "swapExactTokensForETHSupportingFeeOnTransferTokens",
  ),
} satisfies Record<string, SwapOrder>;

/** The pool of WETH and the stablecoin takes 0.05 %, the others of the local chain 0.3 %. */
const feeOf = (one: Hex, other: Hex) =>
  [one, other].sort().join() ===
  "0x4200000000000000000000000000000000000006,0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
    ? 500
    : 3000;
export const packPath = (path: readonly Hex[]): Hex =>
  concatHex(
    path.flatMap((token, index) => {
      const next = path[index + 1];
      return next ? [token, numberToHex(feeOf(token, next), { size: 3 })] : [token];
    }),
  );

type V3Name = "exactInputSingle" | "exactInput" | "exactOutputSingle" | "exactOutput";

/** The bare call of one of the four functions; the older router's has a deadline among its arguments. */
function encodeV3(
  name: V3Name,
  path: readonly Hex[],
  exact: bigint,
  limit: bigint,
  recipient: Hex,
  deadline?: bigint,
): Hex {
  const isInput = name.startsWith("exactInput");
  const [tokenIn, tokenOut] = [path[0] as Hex, path.at(-1) as Hex];
  const way = name.endsWith("Single")
    ? { tokenIn, tokenOut, fee: feeOf(tokenIn, tokenOut), sqrtPriceLimitX96: 0n }
    : { path: packPath(isInput ? path : [...path].reverse()) };
  const amounts = isInput
    ? { amountIn: exact, amountOutMinimum: limit }
    : { amountOut: exact, amountInMaximum: limit };
  const params = { ...way, ...amounts, recipient, ...(deadline !== undefined && { deadline }) };
  const abi = deadline === undefined ? v3Abi : olderV3Abi;
  return encodeFunctionData({ abi: abi as typeof v3Abi, functionName: name, args: [params] as never });
}

const v3 =
  (name: V3Name): SwapOrder =>
  (scene, path, exact, limit) =>
    transaction(scene, encodeV3(name, path, exact, limit, scene.recipient ?? SENDER_SENTINEL));
const older =
  (name: V3Name): SwapOrder =>
  (scene, path, exact, limit) =>
    transaction(scene, encodeV3(name, path, exact, limit, scene.recipient ?? scene.from, scene.deadline));

export const v3Orders = {
  exactInputSingle: v3("exactInputSingle"),
  exactInput: v3("exactInput"),
  exactOutputSingle: v3("exactOutputSingle"),
  exactOutput: v3("exactOutput"),
} satisfies Record<string, SwapOrder>;
export const olderOrders = {
  exactInputSingle: older("exactInputSingle"),
  exactInput: older("exactInput"),
  exactOutputSingle: older("exactOutputSingle"),
  exactOutput: older("exactOutput"),
} satisfies Record<string, SwapOrder>;

export const multicall = (deadline: bigint, calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi: v3Abi, functionName: "multicall", args: [deadline, calls] });
export const plainMulticall = (calls: readonly Hex[]): Hex =>
  encodeFunctionData({ abi: v3Abi, functionName: "multicall", args: [calls] });
export const unwrap = (minimum: bigint, recipient: Hex): Hex =>
  encodeFunctionData({ abi: v3Abi, functionName: "unwrapWETH9", args: [minimum, recipient] });
export const sweep = (token: Hex, minimum: bigint, recipient: Hex): Hex =>
  encodeFunctionData({ abi: v3Abi, functionName: "sweepToken", args: [token, minimum, recipient] });
export const refund = (): Hex => encodeFunctionData({ abi: v3Abi, functionName: "refundETH" });

/** Multicalls as wallets write them: output unwrapped or swept on from the router, or value refunded. */
export const multicallOrders = {
  "exactInput, then unwrapWETH9": (scene, path, exact, limit) => {
    const swap = encodeV3("exactInput", path, exact, 0n, ROUTER_SENTINEL);
    return transaction(
      scene,
      multicall(scene.deadline, [swap, unwrap(limit, scene.recipient ?? scene.from)]),
    );
  },
  "exactInputSingle, then sweepToken": (scene, path, exact, limit) => {
    const swap = encodeV3("exactInputSingle", path, exact, limit, ROUTER_SENTINEL);
    const on = sweep(path.at(-1) as Hex, 0n, scene.recipient ?? scene.from);
    return transaction(scene, plainMulticall([swap, on]));
  },
  "exactOutputSingle of value, then refundETH": (scene, path, exact, limit) => {
    const swap = encodeV3("exactOutputSingle", path, exact, limit, scene.recipient ?? SENDER_SENTINEL);
    return transaction(scene, multicall(scene.deadline, [swap, refund()]), limit);
  },
  "exactInputSingle of value": (scene, path, exact, limit) => {
    const swap = encodeV3("exactInputSingle", path, exact, limit, scene.recipient ?? SENDER_SENTINEL);
    return transaction(scene, multicall(scene.deadline, [swap]), exact);
  },
} satisfies Record<string, SwapOrder>;
