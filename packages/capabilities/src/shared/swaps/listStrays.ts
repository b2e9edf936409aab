import { type Hex, zeroAddress } from "viem";
import { WETH } from "../chain-facts/knownContracts.js";
import type { RouterStep } from "../meanings/decodeRouterProgram.js";
import type { StrayStep, SwapProgram } from "./decodedSwap.js";

/** The swap in whose favour the steps around it must be. */
interface Served {
  readonly swap: RouterStep;
  readonly from: Hex;
  readonly router: Hex;
  /** V4's currencies or the tokens of the path. */
  readonly given: Hex;
  readonly taken: Hex;
  readonly amountIn: bigint;
}

/** What steps give away: steps that have nothing to do with the swap, and fees that are fixed amounts of its input. */
interface GivenAway {
  readonly strays: readonly StrayStep[];
  readonly fees: SwapProgram["portions"];
}

const WHOLE_BPS = 10_000n;
const lower = (address: unknown): Hex => String(address).toLowerCase() as Hex;

/** Native value and its wrapped form are one asset: each may become the other on the way. */
const unwrap = (asset: Hex): Hex => (asset === WETH ? zeroAddress : asset);

/** Everything that a program moves must be what the swap takes or gives, and must go to the sender, the router or a pool. */
export function listGivenAway(steps: readonly RouterStep[], served: Served): GivenAway {
  const at = steps.indexOf(served.swap);
  const parts = steps.map((step, index) => readStep(step, index > at, served));
  const inner = served.swap.inner.map((step) => readManaged(step, served));
  return {
    strays: [...parts, ...inner].flatMap((part) => (part && "name" in part ? [part] : [])),
    fees: parts.flatMap((part) => (part && "bips" in part ? [part] : [])),
  };
}

type Part = StrayStep | SwapProgram["portions"][number] | null;

/** A step beside the swap: those that only pay out of the router are no danger where the sender gets it. */
function readStep({ name, args, roles }: RouterStep, isLater: boolean, served: Served): Part {
  const { from, router, given, taken, amountIn } = served;
  if (!/^(WRAP_ETH|UNWRAP_WETH|SWEEP|TRANSFER|PAY_PORTION|PERMIT2_TRANSFER_FROM)$/.test(name)) return null;
  const asset = name === "WRAP_ETH" || name === "UNWRAP_WETH" ? zeroAddress : lower(args[0]);
  const recipient = lower(roles.recipient);
  const isOwn = recipient === from || recipient === router;
  const isIn = unwrap(asset) === unwrap(given);
  const isOut = unwrap(asset) === unwrap(taken);
  const stray = { name, asset, recipient };
  if (name === "WRAP_ETH") return isOwn && (isIn || isOut) ? null : stray;
  if (name === "PERMIT2_TRANSFER_FROM") {
    if (!isIn) return stray;
    return isOwn ? null : countFee(recipient, args[2] as bigint, amountIn);
  }
  if (name === "PAY_PORTION") return isIn || isOut ? null : stray;
  if (isOwn) return null;
  if (isLater) return isIn || isOut ? null : stray;
  return name === "TRANSFER" && isIn ? countFee(recipient, args[2] as bigint, amountIn) : stray;
}

/** An action inside V4's manager. What is paid in too much may be taken out again by the sender or the router. */
function readManaged({ name, args, roles }: RouterStep, { from, router, given, taken }: Served): Part {
  if (!/^(SETTLE|TAKE)/.test(name)) return null;
  const asset = lower(args[0]);
  const recipient = roles.recipient === undefined ? null : lower(roles.recipient);
  const stray = { name, asset, recipient };
  if (name.startsWith("SETTLE")) return asset === given ? null : stray;
  if (asset === taken) return null;
  const isOwn = recipient === null || recipient === from || recipient === router;
  return asset === given && isOwn && name !== "TAKE_PORTION" ? null : stray;
}

/** Rounded up, so that no part is too small to be seen. */
const countFee = (recipient: Hex, amount: bigint, amountIn: bigint): SwapProgram["portions"][number] => ({
  recipient,
  bips: amountIn === 0n ? Number(WHOLE_BPS) : Number((amount * WHOLE_BPS + amountIn - 1n) / amountIn),
});

/** Every token that a step names, native value aside. */
export function listStepTokens(steps: readonly RouterStep[]): Hex[] {
  return steps.flatMap(({ name, args, inner }) => {
    const own =
      name === "PERMIT2_PERMIT"
        ? [lower((args[0] as { readonly details: { readonly token: Hex } }).details.token)]
        : /^(SWEEP|TRANSFER|PAY_PORTION|PERMIT2_TRANSFER_FROM|SETTLE|SETTLE_ALL|TAKE|TAKE_ALL|TAKE_PORTION)$/.test(
              name,
            )
          ? [lower(args[0])]
          : name === "WRAP_ETH" || name === "UNWRAP_WETH"
            ? [WETH]
            : [];
    return [...own, ...listStepTokens(inner)].filter((token) => token !== zeroAddress);
  });
}
