import type { FieldError } from "@assay/protocol";
import type { Hex } from "viem";
import { WETH } from "../chain-facts/knownContracts.js";
import type { DecodedSwap, SwapTransaction } from "./decodedSwap.js";
import { decodeProgram } from "./decodeProgram.js";
import { listOtherTokens } from "./otherTokens.js";
import { readHops } from "./readHops.js";
import { decodeRouterCall, type RouterCall, UnsupportedCalldata } from "./swapFunctions.js";
import { type SwapRouter, swapFamilies } from "./swapRouters.js";

export type { DecodedSwap, SwapTransaction };

type SwapDecoding = { readonly swap: DecodedSwap } | { readonly unsupported: FieldError };

export function findSwapRouter(routers: readonly SwapRouter[], to: Hex): SwapRouter | undefined {
  return routers.find(({ address }) => address === to.toLowerCase());
}

/** Reads the one swap in a transaction to a supported router, or says which part is not supported. */
export function decodeSwap(transaction: SwapTransaction, routers: readonly SwapRouter[]): SwapDecoding {
  const router = findSwapRouter(routers, transaction.to);
  if (router === undefined) {
    const known = routers.map(({ kind, address }) => `${address} (${kind})`).join(", ");
    return {
      unsupported: { field: "to", rule: `is not a router that this guard supports: ${known || "none"}` },
    };
  }
  try {
    return { swap: readTransaction(transaction, router) };
  } catch (error) {
    if (!(error instanceof UnsupportedCalldata)) throw error;
    return { unsupported: { field: "data", rule: error.message } };
  }
}

/** More calls than any wallet puts beside a swap. */
const MAX_CALLS = 8;

function readTransaction(transaction: SwapTransaction, router: SwapRouter): DecodedSwap {
  const outer = decodeRouterCall(router.kind, transaction.data);
  if (router.kind === "universal_router") return decodeProgram(outer, transaction, router);
  if (outer.role === "swap") return readSwap(outer, transaction, router);
  if (outer.role === "helper") throw new UnsupportedCalldata(`calls ${outer.abi.name} and holds no swap`);
  const inner = outer.fields.calls as readonly Hex[];
  if (inner.length > MAX_CALLS)
    throw new UnsupportedCalldata(`holds ${inner.length} calls, more than the ${MAX_CALLS} supported`);
  const calls = inner.map((data) => decodeRouterCall(router.kind, data));
  if (calls.some(({ role }) => role === "multicall"))
    throw new UnsupportedCalldata("holds a multicall inside a multicall");
  const swaps = calls.filter(({ role }) => role === "swap");
  const [call] = swaps;
  if (call === undefined || swaps.length > 1)
    throw new UnsupportedCalldata(`holds ${swaps.length} swaps, and exactly one is supported`);
  const swap = readSwap(call, transaction, router);
  return addHelpers(swap, outer, calls, router);
}

type Fields = Readonly<Record<string, unknown>>;
const findAmount = (fields: Fields, ...names: readonly string[]): bigint | undefined =>
  names.map((name) => fields[name] as bigint | undefined).find((amount) => amount !== undefined);

function readSwap(call: RouterCall, { from, value }: SwapTransaction, router: SwapRouter): DecodedSwap {
  const { fields, abi } = call;
  const sent = BigInt(value);
  const family = swapFamilies[router.kind as keyof typeof swapFamilies];
  const kind = fields.amountOut === undefined ? "exactIn" : "exactOut";
  const hops = readHops(fields, router.factories as readonly Hex[], kind === "exactOut");
  const tokenIn = hops[0]?.tokenIn as Hex;
  const tokenOut = hops.at(-1)?.tokenOut as Hex;
  // The classic functions that take native value have no amount of their own: the value is the amount.
  const amountIn = findAmount(fields, "amountIn", "amountInMax", "amountInMaximum") ?? sent;
  const amountOut = findAmount(fields, "amountOut", "amountOutMin", "amountOutMinimum") ?? 0n;
  if (router.kind === "swap_router_02" && kind === "exactIn" && amountIn === 0n)
    throw new UnsupportedCalldata("swaps what the router itself holds (an amountIn of 0)");
  const takesValue = /^swap(Exact)?ETH/.test(abi.name);
  const givesValue = /For(Exact)?ETH/.test(abi.name);
  if ((takesValue && tokenIn !== WETH) || (givesValue && tokenOut !== WETH))
    throw new UnsupportedCalldata("swaps native value along a path without the wrapped native token");
  // Concentrated routers pay with the value they were sent where it covers what the wrapped token would pay.
  const paysWithValue =
    family === "concentrated" && tokenIn === WETH && sent > 0n && (kind === "exactOut" || sent >= amountIn);
  return {
    family,
    routerKind: router.kind,
    functionName: abi.name,
    kind,
    hops,
    tokenIn,
    tokenOut,
    isNativeIn: takesValue || paysWithValue,
    isNativeOut: givesValue,
    amountIn,
    amountOut,
    recipient: resolveRecipient(router, (fields.to ?? fields.recipient) as Hex, from),
    otherRecipients: [],
    otherTokens: listOtherTokens(hops, []),
    permissions: [],
    deadline: (fields.deadline as bigint | undefined) ?? null,
    toleratesTransferFees: abi.name.endsWith("SupportingFeeOnTransferTokens"),
    multicall: null,
    call,
  };
}

/** SwapRouter02 writes 1 for the caller and 2 for itself; the older routers write 0 for themselves. */
function resolveRecipient({ kind, address }: SwapRouter, given: Hex, sender: Hex): Hex {
  const number = BigInt(given);
  if (kind === "swap_router_02" && number === 1n) return sender.toLowerCase() as Hex;
  if (kind === "swap_router_02" && number === 2n) return address;
  if ((kind === "swap_router" || kind === "slipstream") && number === 0n) return address;
  return given.toLowerCase() as Hex;
}

/** Adds what the calls around a swap mean for it: a deadline, and who receives the output from the router. */
function addHelpers(
  swap: DecodedSwap,
  outer: RouterCall,
  calls: readonly RouterCall[],
  { address }: SwapRouter,
): DecodedSwap {
  const swapIndex = calls.indexOf(swap.call);
  const takers = calls.flatMap(({ abi, fields }, index) => {
    if (abi.name !== "unwrapWETH9" && abi.name !== "sweepToken") return [];
    const isNative = abi.name === "unwrapWETH9";
    const token = isNative ? WETH : ((fields.token as Hex).toLowerCase() as Hex);
    const { amountMinimum, recipient } = fields as { amountMinimum: bigint; recipient: Hex };
    // These two functions take addresses as they are: 1 and 2 have no special meaning.
    return [{ index, isNative, token, amountMinimum, recipient: recipient.toLowerCase() as Hex }];
  });
  const taker =
    swap.recipient === address
      ? takers.find(({ index, token }) => index > swapIndex && token === swap.tokenOut)
      : undefined;
  const minimum = taker?.amountMinimum ?? 0n;
  const named = calls.flatMap(({ role, fields: { token } }) =>
    role === "helper" && token !== undefined ? [(token as Hex).toLowerCase() as Hex] : [],
  );
  return {
    ...swap,
    ...(taker && { recipient: taker.recipient, isNativeOut: taker.isNative }),
    amountOut: swap.kind === "exactIn" && minimum > swap.amountOut ? minimum : swap.amountOut,
    otherRecipients: takers.filter((other) => other !== taker).map(({ recipient }) => recipient),
    otherTokens: listOtherTokens(swap.hops, named),
    // selfPermit asks the token for an allowance to the router itself.
    permissions: calls
      .filter(({ abi }) => abi.name === "selfPermit")
      .map(({ fields }) => ({
        token: (fields.token as Hex).toLowerCase() as Hex,
        spender: address,
        expiration: null,
      })),
    // No router has deadlines in both places.
    deadline: swap.deadline ?? (outer.fields.deadline as bigint | undefined) ?? null,
    multicall: {
      form: outer.selector,
      others: calls.filter((call) => call !== swap.call).map(({ abi }) => abi.name),
      swapIndex,
      calls: outer.fields.calls as readonly Hex[],
      previousBlockHash: (outer.fields.previousBlockhash as Hex | undefined) ?? null,
    },
  };
}
