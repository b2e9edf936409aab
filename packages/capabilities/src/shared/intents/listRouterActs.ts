import type { Hex } from "@assay/protocol";
import { permit2Of, WETH } from "../chain-facts/knownContracts.js";
import type { Act, SwapAct, TransferAct } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";
import { type PermitDetails, permit2Approval } from "./permit2Approval.js";

type Args = Readonly<Record<string, unknown>>;

const ZERO: Hex = "0x0000000000000000000000000000000000000000";
/** SwapRouter02 and the Universal Router read these as "the caller" and "the router itself". */
const CALLER: Hex = "0x0000000000000000000000000000000000000001";
const ROUTER: Hex = "0x0000000000000000000000000000000000000002";

/** The acts of a router's calls and commands; none for any other function. */
export function listRouterActs(call: DecodedCall, args: Args): readonly Act[] {
  const { signature } = call;
  if (signature === null) return [];
  const name = signature.split("(")[0] ?? "";
  if (/^swap(Exact)?(Tokens|ETH)For/.test(name)) return [classicSwap(call, name, args)];
  if (/^exact(In|Out)put(Single)?$/.test(name)) return [concentratedSwap(call, name, args.params as Args)];
  if (call.selector === null) return listCommandActs(call, name, args);
  switch (signature) {
    case "unwrapWETH9(uint256,address)":
      return [
        { kind: "payout", token: null, to: resolve(call, args.recipient as Hex), minimum: minimumOf(args) },
      ];
    case "unwrapWETH9(uint256)":
    case "refundETH()":
      return [{ kind: "payout", token: null, to: call.caller, minimum: minimumOf(args) }];
    case "sweepToken(address,uint256,address)": {
      const to = resolve(call, args.recipient as Hex);
      return [{ kind: "payout", token: args.token as Hex, to, minimum: minimumOf(args) }];
    }
    default:
      return [];
  }
}

const minimumOf = (args: Args): string | null => {
  const minimum = args.amountMinimum ?? args.amountMin;
  return minimum === undefined ? null : String(minimum);
};

function resolve({ to: router, caller }: DecodedCall, recipient: Hex): Hex {
  if (recipient === CALLER) return caller;
  return recipient === ROUTER || recipient === ZERO ? router : recipient;
}

function classicSwap(call: DecodedCall, name: string, args: Args): SwapAct {
  const path = (args.path ?? routePath(args.routes)) as readonly Hex[];
  const isNativeIn = /swap(Exact)?ETHFor/.test(name);
  const isExactOut = name.includes("ForExact");
  return {
    kind: "swap",
    router: call.to,
    payer: call.caller,
    tokenIn: isNativeIn ? null : (path[0] ?? ZERO),
    tokenOut: /For(Exact)?ETH/.test(name) ? null : (path.at(-1) ?? ZERO),
    recipient: args.to as Hex,
    exact: isExactOut ? "out" : "in",
    amountIn: isNativeIn ? call.value : String(isExactOut ? args.amountInMax : args.amountIn),
    amountOut: String(isExactOut ? args.amountOut : args.amountOutMin),
  };
}

function routePath(routes: unknown): Hex[] {
  const hops = (routes ?? []) as readonly { from: Hex; to: Hex }[];
  return [...hops.slice(0, 1).map(({ from }) => from), ...hops.map(({ to }) => to)];
}

function concentratedSwap(call: DecodedCall, name: string, params: Args): SwapAct {
  const isExactOut = name.startsWith("exactOutput");
  const [tokenIn, tokenOut] = name.endsWith("Single")
    ? [params.tokenIn as Hex, params.tokenOut as Hex]
    : endsOfPath(params.path as Hex, isExactOut);
  return {
    kind: "swap",
    router: call.to,
    payer: call.caller,
    // These routers wrap the value that was sent with the call.
    tokenIn: tokenIn === WETH && call.value !== "0" ? null : tokenIn,
    tokenOut,
    recipient: resolve(call, params.recipient as Hex),
    exact: isExactOut ? "out" : "in",
    amountIn: String(isExactOut ? params.amountInMaximum : params.amountIn),
    amountOut: String(isExactOut ? params.amountOut : params.amountOutMinimum),
  };
}

/** A path is token, fee (3 bytes), token, …; an exact output's runs backwards. */
function endsOfPath(path: Hex, isBackwards: boolean): [Hex, Hex] {
  const first: Hex = `0x${path.slice(2, 42).padEnd(40, "0")}`;
  const last: Hex = `0x${path.slice(-40).replace("0x", "").padStart(40, "0")}`;
  return isBackwards ? [last, first] : [first, last];
}

function listCommandActs(call: DecodedCall, name: string, args: Args): readonly Act[] {
  const recipient = resolve(call, (args.recipient ?? call.caller) as Hex);
  const token = args.token === ZERO ? null : ((args.token ?? null) as Hex | null);
  switch (name) {
    case "V2_SWAP_EXACT_IN":
    case "V2_SWAP_EXACT_OUT":
    case "V3_SWAP_EXACT_IN":
    case "V3_SWAP_EXACT_OUT":
      return [commandSwap(call, name, args, recipient)];
    case "PERMIT2_PERMIT": {
      const permit = args.permit as { details: PermitDetails; spender: Hex };
      return [permit2Approval(permit2Of(call.to), call.caller, permit.spender, permit.details)];
    }
    case "PERMIT2_PERMIT_BATCH": {
      const permit = args.permit as { details: readonly PermitDetails[]; spender: Hex };
      return permit.details.map((one) =>
        permit2Approval(permit2Of(call.to), call.caller, permit.spender, one),
      );
    }
    case "PERMIT2_TRANSFER_FROM":
      return [permit2Transfer(token, call.caller, recipient, String(args.amount))];
    case "PERMIT2_TRANSFER_FROM_BATCH": {
      const all = args.transfers as readonly { from: Hex; to: Hex; amount: string; token: Hex }[];
      return all.map((one) => permit2Transfer(one.token, one.from, one.to, one.amount));
    }
    case "SWEEP":
    case "TRANSFER":
    case "PAY_PORTION":
      return [{ kind: "payout", token, to: recipient, minimum: minimumOf(args) }];
    case "UNWRAP_WETH":
      return [{ kind: "payout", token: null, to: recipient, minimum: minimumOf(args) }];
    case "WRAP_ETH":
      return recipient === call.to
        ? []
        : [{ kind: "payout", token: WETH, to: recipient, minimum: minimumOf(args) }];
    default:
      return [];
  }
}

function permit2Transfer(token: Hex | null, from: Hex, to: Hex, amount: string): TransferAct {
  return { kind: "transfer", form: "permit2", token, from, to, amount, id: null };
}

function commandSwap(call: DecodedCall, name: string, args: Args, recipient: Hex): SwapAct {
  const isExactOut = name.endsWith("_OUT");
  const path = args.path as Hex | readonly Hex[];
  const [tokenIn, tokenOut] =
    typeof path === "string" ? endsOfPath(path, isExactOut) : [path[0] ?? ZERO, path.at(-1) ?? ZERO];
  return {
    kind: "swap",
    router: call.to,
    // Otherwise the router pays with what it already holds.
    payer: args.payerIsUser === true ? call.caller : call.to,
    tokenIn,
    tokenOut,
    recipient,
    exact: isExactOut ? "out" : "in",
    amountIn: String(isExactOut ? args.amountInMax : args.amountIn),
    amountOut: String(isExactOut ? args.amountOut : args.amountOutMin),
  };
}
