import { type Address, erc20Abi, maxUint256, parseEther, zeroAddress } from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import type { Deployer, Installation } from "./createDeployer.js";
import { loadSample } from "./deploySamples.js";
import { loadArtifact } from "./loadArtifact.js";

const loadV4 = (name: string) => loadArtifact(`@uniswap/v4-core/out/${name}.sol/${name}.json`);

/** The addresses of the hooks: their lowest 14 bits state when the manager calls a hook and what it may take. */
export const v4Hooks = {
  /** Takes 0.1 % of what comes out (afterSwap, afterSwapReturnsDelta). */
  v4FeeHook: "0x4000000000000000000000000000000000000044",
  /** Takes a tenth of what goes in (beforeSwap, beforeSwapReturnsDelta). */
  v4SkimmingHook: "0x4000000000000000000000000000000000000088",
  /** Lets the first currency in and never out (beforeSwap). */
  v4OneWayHook: "0x4000000000000000000000000000000000000080",
  /** Has no effect yet and is behind a proxy (beforeSwap, afterSwap). */
  v4UpgradeableHook: "0x40000000000000000000000000000000000000C0",
} as const satisfies Record<string, Address>;

/** An address without permission bits: no pool can use a contract here as its hook. */
const hookImplementation: Address = "0x4000000000000000000000000000000000010000";

/** The manager of v4, and hooks of the kinds that a caller may meet. */
export function listV4(owner: Address): Installation[] {
  const { v4FeeHook, v4SkimmingHook, v4OneWayHook, v4UpgradeableHook } = v4Hooks;
  return [
    { address: canonicalAddresses.poolManager, artifact: loadV4("PoolManager"), args: [owner] },
    { address: v4FeeHook, artifact: loadSample("FeeHook"), args: [10n] },
    { address: v4SkimmingHook, artifact: loadSample("InputHook"), args: [1000n] },
    { address: v4OneWayHook, artifact: loadSample("OneWayHook") },
    { address: hookImplementation, artifact: loadSample("PlainHook") },
    {
      address: v4UpgradeableHook,
      artifact: loadSample("UpgradeableHook"),
      args: [hookImplementation, owner],
    },
  ];
}

/** Fee of all these pools, in hundredths of a basis point, and the tick spacing that usually goes with it. */
const v4PoolTerms = { fee: 3000, tickSpacing: 60 } as const;

/** The key of such a pool: the manager identifies pools by their currencies in the order of their addresses. */
function orderV4Pool(plainToken: Address, hooks: Address) {
  const { weth } = canonicalAddresses;
  const isTokenFirst = plainToken.toLowerCase() < weth.toLowerCase();
  const [currency0, currency1] = isTokenFirst ? [plainToken, weth] : [weth, plainToken];
  return { currency0, currency1, ...v4PoolTerms, hooks };
}

/** Queues a pool of plain tokens and wrapped ether for each hook and one without; 1,500 tokens for one ether, as in all pools. */
export function openV4Pools(deployer: Deployer, plainToken: Address) {
  const { poolManager, weth } = canonicalAddresses;
  const manager = loadV4("PoolManager");
  const providing = loadV4("PoolModifyLiquidityTest");
  const v4LiquidityRouter = deployer.deploy(providing, [poolManager]);
  const v4SwapRouter = deployer.deploy(loadV4("PoolSwapTest"), [poolManager]);
  for (const token of [plainToken, weth]) {
    deployer.send(token, erc20Abi, "approve", [v4LiquidityRouter, maxUint256]);
  }
  for (const hooks of [zeroAddress, ...Object.values(v4Hooks)]) {
    const key = orderV4Pool(plainToken, hooks);
    const isTokenFirst = key.currency0 === plainToken;
    // The root of 1/1,500 or of 1,500, with 96 binary places.
    const price = isTokenFirst ? 2045662359789070170858018546n : 3068493539683605256287027819677n;
    deployer.send(poolManager, manager.abi, "initialize", [key, price]);
    const range = { tickLower: -887_220, tickUpper: 887_220 };
    const position = { ...range, liquidityDelta: parseEther("3872"), salt: `0x${"0".repeat(64)}` };
    deployer.send(v4LiquidityRouter, providing.abi, "modifyLiquidity", [key, position, "0x"]);
  }
  return { v4LiquidityRouter, v4SwapRouter };
}

/** Queues a swap of a hundredth of an ether for plain tokens, in the pool of the upgradeable hook. */
export function tradeInV4(deployer: Deployer, plainToken: Address, v4SwapRouter: Address): void {
  const { weth } = canonicalAddresses;
  const key = orderV4Pool(plainToken, v4Hooks.v4UpgradeableHook);
  const zeroForOne = key.currency0 === weth;
  const swap = {
    zeroForOne,
    // In v4 a negative amount is an exact input.
    amountSpecified: -parseEther("0.01"),
    // No price limit: one above the lowest, or one below the highest price of a pool.
    sqrtPriceLimitX96: zeroForOne ? 4295128740n : 1461446703485210103287273052203988822378723970341n,
  };
  const settings = { takeClaims: false, settleUsingBurn: false };
  deployer.send(weth, erc20Abi, "approve", [v4SwapRouter, maxUint256]);
  deployer.send(v4SwapRouter, loadV4("PoolSwapTest").abi, "swap", [key, swap, settings, "0x"]);
}
