import {
  type AbiFunction,
  decodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbi,
  slice,
  toFunctionSelector,
} from "viem";
import { knownFunctions } from "../calls/knownFunctions.js";
import { measureAbi } from "../calls/measureAbi.js";
import type { SwapRouterKind } from "./swapRouters.js";

/** Selectors of the swaps each kind of router has; their arguments are in `knownFunctions`. */
const swaps: Readonly<Record<SwapRouterKind, readonly Hex[]>> = {
  uniswap_v2: [
    "0x38ed1739",
    "0x8803dbee",
    "0x7ff36ab5",
    "0x18cbafe5",
    "0x4a25d94a",
    "0xfb3bdb41",
    "0x5c11d795",
    "0xb6f9de95",
    "0x791ac947",
  ],
  aerodrome: ["0xcac88ea9", "0x903638a4", "0xc6b7f1b6", "0x88cd821e", "0x3da5acba", "0x12bc3aca"],
  swap_router_02: ["0x04e45aaf", "0xb858183f", "0x5023b4df", "0x09b81346"],
  swap_router: ["0x414bf389", "0xc04b8d59", "0xdb3e2198", "0xf28c0498"],
  slipstream: ["0xa026383e"],
  universal_router: ["0x24856bc3", "0x3593564c"],
};

/** Selectors of the multicalls each kind of router has. */
const wrappers: Readonly<Record<SwapRouterKind, readonly Hex[]>> = {
  uniswap_v2: [],
  aerodrome: [],
  swap_router_02: ["0x5ae401dc", "0xac9650d8", "0x1f0464d1"],
  swap_router: ["0xac9650d8"],
  slipstream: ["0xac9650d8"],
  universal_router: [],
};

const ROUTES = "(address from, address to, bool stable, address factory)[] routes";
/** Aerodrome's swaps of native value and of tokens that keep a part, whose names are Uniswap's with routes in place of paths. */
const routed: ReadonlyMap<Hex, AbiFunction> = new Map(
  (
    parseAbi([
      `function swapExactETHForTokens(uint256 amountOutMin, ${ROUTES}, address to, uint256 deadline)`,
      `function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, ${ROUTES}, address to, uint256 deadline)`,
      `function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, ${ROUTES}, address to, uint256 deadline)`,
      `function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, ${ROUTES}, address to, uint256 deadline)`,
      `function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, ${ROUTES}, address to, uint256 deadline)`,
    ]) as readonly AbiFunction[]
  ).map((abi) => [toFunctionSelector(abi), abi]),
);

/** What may stand beside a swap in a multicall. */
const helpers: ReadonlyMap<Hex, AbiFunction> = new Map(
  parseAbi([
    "function unwrapWETH9(uint256 amountMinimum, address recipient)",
    "function refundETH()",
    "function sweepToken(address token, uint256 amountMinimum, address recipient)",
    "function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  ]).map((abi) => [toFunctionSelector(abi), abi]),
);

/** A router's function and its arguments by name; the members of a lone `params` stand for themselves. */
export interface RouterCall {
  readonly role: "swap" | "multicall" | "helper";
  readonly selector: Hex;
  readonly abi: AbiFunction;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A sentence without its subject, for the field that holds the calldata. */
export class UnsupportedCalldata extends Error {}

/** Throws `UnsupportedCalldata` for a function that this kind of router lacks, or for arguments that do not decode. */
export function decodeRouterCall(kind: SwapRouterKind, data: Hex): RouterCall {
  if (data.length < 10) throw new UnsupportedCalldata("holds a call without a function selector");
  const selector = slice(data, 0, 4);
  const role = swaps[kind].includes(selector)
    ? "swap"
    : wrappers[kind].includes(selector)
      ? "multicall"
      : "helper";
  const isHelpful = role !== "helper" || (wrappers[kind].length > 0 && helpers.has(selector));
  const abi =
    role === "helper" ? helpers.get(selector) : (routed.get(selector) ?? knownFunctions.get(selector)?.abi);
  if (abi === undefined || !isHelpful)
    throw new UnsupportedCalldata(`calls ${selector}, which is no supported function of a ${kind} router`);
  try {
    return { role, selector, abi, fields: nameFields(abi, decodeArguments(abi, data)) };
  } catch {
    throw new UnsupportedCalldata(`calls ${abi.name} with arguments that cannot be decoded`);
  }
}

function decodeArguments({ inputs }: AbiFunction, data: Hex): readonly unknown[] {
  if (inputs.length === 0) return [];
  const bytes = hexToBytes(data).subarray(4);
  // Throws for data whose offsets make it stand for more than it is; decoding that would fill the memory.
  measureAbi(inputs, bytes);
  return decodeAbiParameters(inputs, bytes);
}

function nameFields(abi: AbiFunction, values: readonly unknown[]): Record<string, unknown> {
  if (abi.inputs.length === 1 && abi.inputs[0]?.name === "params")
    return { ...(values[0] as Record<string, unknown>) };
  return Object.fromEntries(abi.inputs.map(({ name }, index) => [name ?? String(index), values[index]]));
}
