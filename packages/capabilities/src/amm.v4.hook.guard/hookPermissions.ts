import type { Hex } from "@assay/protocol";

/** The lowest 14 bits of a hook's address, from the lowest on (v4-core's Hooks). */
const BITS = [
  "afterRemoveLiquidityReturnsDelta",
  "afterAddLiquidityReturnsDelta",
  "afterSwapReturnsDelta",
  "beforeSwapReturnsDelta",
  "afterDonate",
  "beforeDonate",
  "afterSwap",
  "beforeSwap",
  "afterRemoveLiquidity",
  "beforeRemoveLiquidity",
  "afterAddLiquidity",
  "beforeAddLiquidity",
  "afterInitialize",
  "beforeInitialize",
] as const;
export type HookPermission = (typeof BITS)[number];

/** When a manager calls this hook, and whether it may take or give on the way. */
export function listHookPermissions(hooks: Hex): HookPermission[] {
  const address = BigInt(hooks);
  return BITS.filter((_, bit) => (address >> BigInt(bit)) & 1n).reverse();
}

/** A hook that may return a delta must be called at the point where it returns it. */
const NEEDED: readonly (readonly [delta: HookPermission, call: HookPermission])[] = [
  ["beforeSwapReturnsDelta", "beforeSwap"],
  ["afterSwapReturnsDelta", "afterSwap"],
  ["afterAddLiquidityReturnsDelta", "afterAddLiquidity"],
  ["afterRemoveLiquidityReturnsDelta", "afterRemoveLiquidity"],
];

/** As v4-core's `Hooks.isValidHookAddress`: a manager refuses to initialize any other pool. */
export function isValidHookAddress(hooks: Hex, isDynamicFee: boolean): boolean {
  const permissions = listHookPermissions(hooks);
  if (NEEDED.some(([delta, call]) => permissions.includes(delta) && !permissions.includes(call)))
    return false;
  return BigInt(hooks) === 0n ? !isDynamicFee : permissions.length > 0 || isDynamicFee;
}

const LIQUIDITY_CALLS: readonly HookPermission[] = [
  "beforeAddLiquidity",
  "afterAddLiquidity",
  "beforeRemoveLiquidity",
  "afterRemoveLiquidity",
];
export const touchesLiquidity = (hooks: Hex): boolean =>
  listHookPermissions(hooks).some((permission) => LIQUIDITY_CALLS.includes(permission));
export const isCalledInSwaps = (hooks: Hex): boolean =>
  listHookPermissions(hooks).some((permission) => permission === "beforeSwap" || permission === "afterSwap");
