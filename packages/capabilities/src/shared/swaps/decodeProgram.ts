import { type Hex, slice, zeroAddress } from "viem";
import { PERMIT2, WETH } from "../chain-facts/knownContracts.js";
import { decodeRouterProgram, type RouterStep } from "../meanings/decodeRouterProgram.js";
import type { DecodedSwap, SwapPermission, SwapProgram, SwapTransaction } from "./decodedSwap.js";
import { listGivenAway, listStepTokens } from "./listStrays.js";
import { listOtherTokens } from "./otherTokens.js";
import { readHops, type SwapHop } from "./readHops.js";
import { type RouterCall, UnsupportedCalldata } from "./swapFunctions.js";
import type { SwapRouter } from "./swapRouters.js";

/** Stands for what the router holds. */
export const ROUTER_BALANCE = 2n ** 255n;
/** Uniswap's V2 pools have one fee, in hundredths of a basis point. */
const CLASSIC_FEE = 3000;
const WHOLE_FEE = 1_000_000;

/** Steps that may stand beside the swap. */
const BESIDE = new Set([
  "WRAP_ETH",
  "UNWRAP_WETH",
  "SWEEP",
  "TRANSFER",
  "PAY_PORTION",
  "PERMIT2_PERMIT",
  "PERMIT2_TRANSFER_FROM",
  "BALANCE_CHECK_ERC20",
]);
const IN_MANAGER = /^(?:SWAP_EXACT_(?:IN|OUT)(?:_SINGLE)?|SETTLE|SETTLE_ALL|TAKE|TAKE_ALL|TAKE_PORTION)$/;

/** What a V4 pool is identified by. */
export interface V4Pool {
  readonly fee: number;
  readonly tickSpacing: number;
  readonly hooks: Hex;
  readonly hookData: Hex;
}

interface Flow {
  readonly kind: DecodedSwap["kind"];
  readonly hops: readonly SwapHop[];
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly recipient: Hex;
  readonly paysUser: boolean;
  readonly isNativeIn: boolean;
  readonly isNativeOut: boolean;
  readonly program: SwapProgram;
  readonly otherRecipients: readonly Hex[];
  readonly permissions: readonly SwapPermission[];
}

const lower = (address: unknown): Hex => String(address).toLowerCase() as Hex;
const wrapped = (currency: Hex): Hex => (currency === zeroAddress ? WETH : currency);

/** Reads the one swap in a program of the Universal Router. Throws `UnsupportedCalldata` for any other program. */
export function decodeProgram(
  call: RouterCall,
  transaction: SwapTransaction,
  router: SwapRouter,
): DecodedSwap {
  const { commands, inputs, deadline } = call.fields as {
    commands: Hex;
    inputs: readonly Hex[];
    deadline?: bigint;
  };
  const context = { from: lower(transaction.from), to: lower(router.address) };
  const { steps, calls, complete } = decodeRouterProgram(commands, inputs, undefined, context);
  if (!complete || calls.length > 0) throw new UnsupportedCalldata("holds steps that are not understood");
  const swaps = steps.filter(({ name }) => /^V[234]_SWAP/.test(name));
  const [swap] = swaps;
  if (swap === undefined || swaps.length > 1)
    throw new UnsupportedCalldata(`holds ${swaps.length} swaps, and exactly one is supported`);
  const other = steps.find((step) => step !== swap && !BESIDE.has(step.name));
  if (other) throw new UnsupportedCalldata(`holds the step ${other.name} beside the swap`);
  if (steps.some(({ mayFail }) => mayFail))
    throw new UnsupportedCalldata("holds a step that may fail unnoticed");
  const own = swap.name === "V4_SWAP" ? readManager(swap, context) : readPools(swap, context);
  const flow = followOutput(own, steps, swap, context, BigInt(transaction.value));
  const tokenIn = flow.hops[0]?.tokenIn as Hex;
  const tokenOut = flow.hops.at(-1)?.tokenOut as Hex;
  return {
    family: flow.program.venue === "v2" ? "classic" : "concentrated",
    routerKind: router.kind,
    functionName: flow.program.step.name,
    kind: flow.kind,
    hops: flow.hops,
    tokenIn,
    tokenOut,
    isNativeIn: flow.isNativeIn,
    isNativeOut: flow.isNativeOut,
    amountIn: flow.amountIn,
    amountOut: flow.amountOut,
    recipient: flow.recipient,
    otherRecipients: flow.otherRecipients,
    otherTokens: listOtherTokens(flow.hops, listStepTokens(steps)),
    permissions: flow.permissions,
    deadline: deadline ?? null,
    toleratesTransferFees: true,
    multicall: {
      form: call.selector,
      others: steps.filter((step) => step !== swap).map(({ name }) => name),
      swapIndex: steps.indexOf(swap),
      calls: [],
      previousBlockHash: null,
    },
    call,
    program: flow.program,
  };
}

interface Addresses {
  readonly from: Hex;
  readonly to: Hex;
}

/** A swap in V2 or V3 pools. */
function readPools({ name, args, roles, ...step }: RouterStep, _: Addresses): Flow {
  const venue = name.startsWith("V2") ? "v2" : "v3";
  const kind = name.includes("EXACT_IN") ? "exactIn" : "exactOut";
  const [, first, second, path, paysUser] = args as [Hex, bigint, bigint, Hex | readonly Hex[], boolean];
  if (venue === "v2" && !Array.isArray(path))
    throw new UnsupportedCalldata("holds a V2 path of another router");
  const hops = readHops({ path }, [], kind === "exactOut" && venue === "v3");
  return {
    kind,
    hops: hops.map((hop) => ({ ...hop, fee: venue === "v2" ? CLASSIC_FEE : hop.fee })),
    amountIn: kind === "exactIn" ? first : second,
    amountOut: kind === "exactIn" ? second : first,
    recipient: lower(roles.recipient),
    paysUser,
    isNativeIn: false,
    isNativeOut: false,
    otherRecipients: [],
    permissions: [],
    program: {
      step: { name, args, roles, ...step },
      venue,
      portions: [],
      permits: [],
      strays: [],
      currencies: [hops[0]?.tokenIn as Hex, hops.at(-1)?.tokenOut as Hex],
    },
  };
}

/** A swap in V4 pools, what pays for it and who takes what it gives. */
function readManager({ inner }: RouterStep, { from, to }: Addresses): Flow {
  const swaps = inner.filter(({ name }) => name.startsWith("SWAP_"));
  const [step] = swaps;
  const strange = inner.find(({ name }) => !IN_MANAGER.test(name));
  if (step === undefined || swaps.length > 1 || strange)
    throw new UnsupportedCalldata(
      strange
        ? `holds the V4 action ${strange.name}`
        : `holds ${swaps.length} V4 swaps, and exactly one is supported`,
    );
  const kind = step.name.includes("EXACT_IN") ? "exactIn" : "exactOut";
  const pools = readV4Pools(step);
  const [given, taken] = [pools[0]?.given as Hex, pools.at(-1)?.taken as Hex];
  if (given === taken) throw new UnsupportedCalldata("has a path that ends in the token it begins with");
  const amounts = step.args[0] as Readonly<Record<string, bigint>>;
  const paying = inner.find(({ name, args }) => name.startsWith("SETTLE") && lower(args[0]) === given);
  const takers = inner.filter(({ name, args }) => /^TAKE(_ALL)?$/.test(name) && lower(args[0]) === taken);
  const taker = takers.at(-1);
  if (!paying || !taker)
    throw new UnsupportedCalldata("holds a V4 swap that is not paid for or not taken out");
  const least = taker.name === "TAKE_ALL" ? (taker.args[1] as bigint) : 0n;
  const written = (kind === "exactIn" ? amounts.amountOutMinimum : amounts.amountOut) ?? 0n;
  // Where the amount is left open, what was paid in before decides.
  const open = (kind === "exactIn" ? amounts.amountIn : amounts.amountInMaximum) ?? 0n;
  return {
    kind,
    hops: pools.map(({ pool, ...side }) => ({
      tokenIn: wrapped(side.given),
      tokenOut: wrapped(side.taken),
      fee: pool.fee < WHOLE_FEE ? pool.fee : null,
      tickSpacing: pool.tickSpacing,
      stable: null,
      hooks: pool.hooks,
    })),
    amountIn: open > 0n ? open : (paying.args[1] as bigint),
    amountOut: kind === "exactIn" && least > written ? least : written,
    recipient: taker.name === "TAKE_ALL" ? from : lower(taker.roles.recipient),
    paysUser: paying.name === "SETTLE_ALL" || paying.args[2] === true,
    isNativeIn: given === zeroAddress,
    isNativeOut: taken === zeroAddress,
    otherRecipients: takers
      .slice(0, -1)
      .map(({ name, roles }) => (name === "TAKE_ALL" ? from : lower(roles.recipient)))
      .filter((one) => one !== to),
    permissions: [],
    program: {
      step,
      venue: "v4",
      portions: inner
        .filter(({ name }) => name === "TAKE_PORTION")
        .map(({ roles, args }) => ({ recipient: lower(roles.recipient), bips: Number(args[2]) })),
      permits: [],
      strays: [],
      currencies: [given, taken],
    },
  };
}

interface V4Hop {
  readonly given: Hex;
  readonly taken: Hex;
  readonly pool: V4Pool;
}

interface PathKey extends V4Pool {
  readonly intermediateCurrency: Hex;
}

/** In the order of the trade. */
export function readV4Pools({ name, args }: RouterStep): V4Hop[] {
  const swap = args[0] as Readonly<Record<string, unknown>>;
  if (name.endsWith("_SINGLE")) {
    const key = swap.poolKey as V4Pool & { readonly currency0: Hex; readonly currency1: Hex };
    const [currency0, currency1] = [lower(key.currency0), lower(key.currency1)];
    const [given, taken] = swap.zeroForOne ? [currency0, currency1] : [currency1, currency0];
    const { fee, tickSpacing } = key;
    return [
      { given, taken, pool: { fee, tickSpacing, hooks: lower(key.hooks), hookData: swap.hookData as Hex } },
    ];
  }
  const path = swap.path as readonly PathKey[];
  const isIn = name === "SWAP_EXACT_IN";
  const currencies = isIn
    ? [swap.currencyIn, ...path.map(({ intermediateCurrency }) => intermediateCurrency)]
    : [...path.map(({ intermediateCurrency }) => intermediateCurrency), swap.currencyOut];
  if (path.length === 0 || path.length > 8)
    throw new UnsupportedCalldata("has a path of too few or too many pools");
  return path.map(({ fee, tickSpacing, hooks, hookData }, index) => ({
    given: lower(currencies[index]),
    taken: lower(currencies[index + 1]),
    pool: { fee, tickSpacing, hooks: lower(hooks), hookData },
  }));
}

/** What the steps around the swap do with what goes in and what comes out. */
function followOutput(
  own: Flow,
  steps: readonly RouterStep[],
  swap: RouterStep,
  { from, to: router }: Addresses,
  sent: bigint,
): Flow {
  const at = steps.indexOf(swap);
  const tokenIn = own.hops[0]?.tokenIn as Hex;
  const tokenOut = own.hops.at(-1)?.tokenOut as Hex;
  const before = steps.slice(0, at);
  const wrap = before.find(({ name, roles }) => name === "WRAP_ETH" && lower(roles.recipient) === router);
  const taken = before.find(
    ({ name, args, roles }) =>
      name === "PERMIT2_TRANSFER_FROM" && lower(args[0]) === tokenIn && lower(roles.recipient) === router,
  );
  const isWrapped = !own.paysUser && wrap !== undefined && tokenIn === WETH && sent > 0n;
  if (!own.paysUser && !isWrapped && !taken && !(own.isNativeIn && sent > 0n))
    throw new UnsupportedCalldata("swaps what the router itself holds");
  const paidIn = isWrapped ? (wrap.args[1] as bigint) : taken ? (taken.args[2] as bigint) : own.amountIn;
  const fixed =
    paidIn === ROUTER_BALANCE || (own.isNativeIn && own.amountIn === ROUTER_BALANCE) ? sent : paidIn;
  const takers = steps.slice(at + 1).flatMap(({ name, args, roles }) => {
    if (name === "UNWRAP_WETH")
      return [{ token: WETH, isNative: true, least: args[1] as bigint, to: lower(roles.recipient) }];
    if (name !== "SWEEP" && name !== "TRANSFER") return [];
    const token = lower(args[0]);
    return [
      {
        token: wrapped(token),
        isNative: token === zeroAddress,
        least: args[2] as bigint,
        to: lower(roles.recipient),
      },
    ];
  });
  const taker =
    own.recipient === router
      ? takers.find(({ token, to }) => token === tokenOut && to !== router)
      : undefined;
  const amountIn = own.amountIn === ROUTER_BALANCE ? fixed : own.amountIn;
  const [given, gotten] = own.program.currencies;
  const away = listGivenAway(steps, { swap, from, router, given, taken: gotten, amountIn });
  const permits = readPermits(steps);
  const least = taker && own.kind === "exactIn" && taker.least > own.amountOut ? taker.least : own.amountOut;
  return {
    ...own,
    amountIn,
    amountOut: least,
    isNativeIn: own.isNativeIn || isWrapped,
    ...(taker && { recipient: taker.to, isNativeOut: taker.isNative }),
    otherRecipients: [
      ...own.otherRecipients,
      ...takers.filter((one) => one !== taker && one.to !== router).map(({ to }) => to),
    ],
    permissions: permits.map(({ token, spender, expiration }) => ({ token, spender, expiration })),
    program: {
      ...own.program,
      portions: [
        ...own.program.portions,
        ...steps
          .filter(({ name }) => name === "PAY_PORTION")
          .map(({ args, roles }) => ({ recipient: lower(roles.recipient), bips: Number(args[2]) })),
        ...away.fees,
      ],
      // Permissions for anybody else are of no use to the swap and are not given when it is simulated.
      permits: permits.filter(({ spender }) => spender === router),
      strays: away.strays,
    },
  };
}

interface Permit extends SwapPermission {
  readonly amount: bigint;
  readonly expiration: number;
}

/** Signatures of the sender that the program hands to Permit2. */
function readPermits(steps: readonly RouterStep[]): Permit[] {
  return steps
    .filter(({ name }) => name === "PERMIT2_PERMIT")
    .map(({ args }) => {
      const { details, spender } = args[0] as {
        readonly details: { readonly token: Hex; readonly amount: bigint; readonly expiration: number };
        readonly spender: Hex;
      };
      const { token, amount, expiration } = details;
      return { token: lower(token), spender: lower(spender), amount, expiration };
    });
}

/** Whom the sender must allow to take what the swap needs. */
export const findSpender = ({ routerKind }: DecodedSwap, router: Hex): Hex =>
  routerKind === "universal_router" ? PERMIT2 : router;

/** The program without the steps that carry a signature: code at the sender's address would be asked about it. */
export function dropPermits(
  commands: Hex,
  inputs: readonly Hex[],
): { commands: Hex; inputs: readonly Hex[] } {
  const kept = inputs.flatMap((input, index) => {
    const command = slice(commands, index, index + 1);
    return (Number(command) & 0x7f) === 0x0a ? [] : [{ command, input }];
  });
  return {
    commands: `0x${kept.map(({ command }) => command.slice(2)).join("")}`,
    inputs: kept.map(({ input }) => input),
  };
}
