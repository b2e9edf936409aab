import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex, Verdict } from "@assay/protocol";
import { parseAbi, parseEther, zeroAddress } from "viem";
import { BITS, type HookFixture, type PoolInput, TAKES_INPUT, TAKES_OUTPUT } from "./hookFixture.js";

/** One situation with the verdict and reasons it must get. */
export interface HookRow {
  readonly name: string;
  readonly verdict: Verdict;
  /** Reasons that must be among those given. */
  readonly reasons: readonly string[];
  /** Reasons that must not. */
  readonly never?: readonly string[];
  prepare(fixture: HookFixture): Promise<PoolInput>;
}

type Sampled = [
  name: string,
  sample: string,
  bits: number,
  verdict: Verdict,
  reasons: readonly string[],
  args?: readonly unknown[],
  fee?: number,
];

const DYNAMIC = 0x800000;
const ownerAbi = parseAbi([
  "function setPair(address pair)",
  "function upgradeTo(address implementation)",
  "function setFee(uint256 feeBps)",
]);
const { beforeSwap, afterSwap } = BITS;

/** A pool of its own with one of the sample hooks. */
const sampled: readonly Sampled[] = [
  [
    "a hook that only observes and keeps no state",
    "PlainHook",
    beforeSwap | afterSwap,
    "review",
    ["HOOK_STATELESS", "ROUND_TRIP_AS_STATED"],
  ],
  [
    "a dynamic fee of 0.3 % from code without state",
    "DynamicFeeHook",
    beforeSwap,
    "review",
    ["HOOK_SETS_FEE", "HOOK_STATELESS", "ROUND_TRIP_AS_STATED"],
    [3000],
    DYNAMIC,
  ],
  [
    "a fee of 99 % but for the sizes that are tried",
    "SizeWindowHook",
    beforeSwap,
    "review",
    ["HOOK_SETS_FEE", "HOOK_STATELESS", "ROUND_TRIP_AS_STATED"],
    [],
    DYNAMIC,
  ],
  [
    "no swap to an exact output",
    "ExactInputHook",
    beforeSwap,
    "review",
    ["HOOK_STATELESS", "ROUND_TRIP_AS_STATED"],
  ],
  [
    "a hook that only observes while liquidity is added",
    "PlainLiquidityHook",
    BITS.beforeAddLiquidity,
    "allow",
    ["HOOK_NOT_IN_SWAPS", "LIQUIDITY_STAYS_FREE", "ROUND_TRIP_AS_STATED"],
  ],
  [
    "liquidity that comes out until the owner says otherwise",
    "OwnedExitHook",
    BITS.beforeRemoveLiquidity,
    "review",
    ["HOOK_NOT_IN_SWAPS", "HOOK_CAN_CHANGE", "LIQUIDITY_STAYS_FREE"],
    ["0x1111111111111111111111111111111111111111"],
  ],

  ["an honest fee of 0.1 %", "FeeHook", TAKES_OUTPUT, "review", ["HOOK_TAKES_FEE", "HOOK_CAN_CHANGE"], [10n]],
  ["a fee of exactly 2 %", "FeeHook", TAKES_OUTPUT, "review", ["HOOK_TAKES_FEE"], [200n]],
  [
    "a fee that its owner sets, now none",
    "OwnedFeeHook",
    TAKES_OUTPUT,
    "review",
    ["ROUND_TRIP_AS_STATED", "HOOK_CAN_CHANGE", "OWNER_IS_ACCOUNT"],
    ["0x1111111111111111111111111111111111111111"],
  ],
  [
    "a hook that waits for its hundredth swap",
    "PatientHook",
    TAKES_OUTPUT,
    "review",
    ["ROUND_TRIP_AS_STATED", "HOOK_CAN_CHANGE"],
  ],
  [
    "a hook that reads the block number",
    "ClockHook",
    beforeSwap,
    "review",
    ["ROUND_TRIP_AS_STATED", "HOOK_CAN_CHANGE"],
  ],
  ["a list of routers", "RouterListHook", beforeSwap, "review", ["SENDERS_TREATED_APART"]],
  [
    "a dynamic fee of 5 %",
    "DynamicFeeHook",
    beforeSwap,
    "review",
    ["HOOK_SETS_FEE", "POOL_FEE_HIGH"],
    [50_000],
    DYNAMIC,
  ],
  [
    "liquidity that does not come out",
    "LockedLiquidityHook",
    BITS.beforeRemoveLiquidity,
    "review",
    ["LIQUIDITY_LOCKED", "HOOK_NOT_IN_SWAPS", "ROUND_TRIP_AS_STATED"],
  ],
  [
    "a tenth kept of liquidity taken out",
    "ExitFeeHook",
    BITS.afterRemoveLiquidity | BITS.afterRemoveLiquidityReturnsDelta,
    "review",
    ["LIQUIDITY_TAXED"],
  ],

  ["a fee of 2.01 %", "FeeHook", TAKES_OUTPUT, "block", ["HOOK_SKIMS"], [201n]],
  ["a tenth of what comes out", "FeeHook", TAKES_OUTPUT, "block", ["HOOK_SKIMS"], [1000n]],
  ["a tenth of what goes in", "InputHook", TAKES_INPUT, "block", ["HOOK_SKIMS"], [1000n]],
  ["a tenth of large swaps only", "LargeSwapHook", TAKES_OUTPUT, "block", ["HOOK_SKIMS"]],
  [
    "a tenth of strangers, nothing by the known router",
    "RouterFriendHook",
    TAKES_OUTPUT,
    "block",
    ["HOOK_SKIMS", "SENDERS_TREATED_APART"],
  ],
  [
    "a tenth by the known router, nothing of strangers",
    "RouterFoeHook",
    TAKES_OUTPUT,
    "block",
    ["HOOK_SKIMS", "SENDERS_TREATED_APART"],
  ],
  ["a tenth on the way back only", "ReturnHook", TAKES_OUTPUT, "block", ["HOOK_SKIMS"]],
  ["a tenth of those who pay for gas", "GasPriceHook", TAKES_OUTPUT, "block", ["HOOK_SKIMS"]],
  ["more than comes out", "GreedyHook", TAKES_OUTPUT, "block", ["SWAPS_FAIL"]],
  ["a tenth, and the probe asked to make up for it", "PuppeteerHook", TAKES_OUTPUT, "block", ["HOOK_SKIMS"]],
  [
    "a tenth beside a dynamic fee",
    "DynamicSkimHook",
    TAKES_OUTPUT | beforeSwap,
    "block",
    ["HOOK_SKIMS"],
    [],
    DYNAMIC,
  ],
  ["a dynamic fee of 90 %", "DynamicFeeHook", beforeSwap, "block", ["POOL_FEE_SEVERE"], [900_000], DYNAMIC],
  ["swaps ahead of everybody", "FrontRunningHook", beforeSwap | afterSwap, "block", ["HOOK_SKIMS"], [], 100],
  ["no swap at all", "ClosedHook", beforeSwap, "block", ["SWAPS_FAIL"]],
  ["in, and never out", "OneWayHook", beforeSwap, "block", ["SWAPS_ONE_WAY", "RETURN_FAILS"]],
  ["a refusal of 200,000 bytes", "LoudHook", beforeSwap, "block", ["SWAPS_FAIL"]],
  ["a hook that burns all gas", "EndlessHook", beforeSwap, "block", ["SWAPS_FAIL"]],
  ["a hook that answers what no hook answers", "MumblingHook", beforeSwap, "block", ["SWAPS_FAIL"]],
];

const pools: readonly HookRow[] = [
  {
    name: "no hook",
    verdict: "allow",
    reasons: ["POOL_MANAGER_KNOWN", "POOL_HAS_LIQUIDITY", "NO_HOOK", "ROUND_TRIP_AS_STATED"],
    prepare: ({ opener }) => opener.openPool({ fee: 500, tickSpacing: 10 }),
  },
  {
    name: "no hook, against native currency",
    verdict: "allow",
    reasons: ["NO_HOOK", "ROUND_TRIP_AS_STATED"],
    prepare: ({ opener, devnet }) =>
      opener.openPool({ currencies: [zeroAddress, lowercase(devnet.contracts.plainToken)] }),
  },
  {
    name: "no hook, a stated fee of 5 %",
    verdict: "review",
    reasons: ["NO_HOOK", "POOL_FEE_HIGH"],
    prepare: ({ opener }) => opener.openPool({ fee: 50_000 }),
  },
  {
    name: "no hook, a stated fee of 50 %",
    verdict: "block",
    reasons: ["NO_HOOK", "POOL_FEE_SEVERE"],
    prepare: ({ opener }) => opener.openPool({ fee: 500_000 }),
  },
  {
    name: "a currency that keeps a part of transfers",
    verdict: "block",
    reasons: ["NO_HOOK", "RETURN_FAILS", "CURRENCY_KEEPS_PART", "SIMULATION_UNFINISHED"],
    async prepare({ opener, devnet }) {
      const input = await opener.openPool({
        currencies: [lowercase(devnet.contracts.taxedToken), lowercase(devnet.contracts.weth)],
      });
      await opener.call(devnet.contracts.taxedToken, ownerAbi, "setPair", [devnet.contracts.poolManager]);
      return input;
    },
  },
  {
    name: "a pool that was never initialized",
    verdict: "review",
    reasons: ["POOL_NOT_INITIALIZED"],
    prepare: async ({ opener }) => opener.describePool({ fee: 77 }),
  },
  {
    name: "a pool without liquidity",
    verdict: "review",
    reasons: ["POOL_EMPTY"],
    prepare: ({ opener }) => opener.openPool({ fee: 78, liquidity: 0n }),
  },
  {
    name: "a pool with next to no liquidity",
    verdict: "review",
    reasons: ["POOL_DEPTH_TOO_SMALL"],
    prepare: ({ opener }) => opener.openPool({ fee: 79, liquidity: 1_000_000n }),
  },
  {
    name: "a manager nobody knows, with a pool in it",
    verdict: "review",
    reasons: ["POOL_MANAGER_UNKNOWN", "ROUND_TRIP_AS_STATED"],
    prepare: async ({ opener }) => opener.openPool({ elsewhere: await opener.deployManager() }),
  },
  {
    name: "a manager that is a token",
    verdict: "review",
    reasons: ["POOL_MANAGER_UNKNOWN", "POOL_NOT_INITIALIZED"],
    prepare: async ({ opener, devnet }) => ({
      ...opener.describePool(),
      poolManager: lowercase(devnet.contracts.plainToken),
    }),
  },
  {
    name: "a manager without code",
    verdict: "block",
    reasons: ["POOL_MANAGER_HAS_NO_CODE"],
    prepare: async ({ opener }) => ({ ...opener.describePool(), poolManager: `0x${"c0".repeat(20)}` }),
  },
  {
    name: "a hook that lets one account add liquidity",
    verdict: "review",
    reasons: ["HOOK_NOT_IN_SWAPS", "HOOK_CAN_CHANGE", "LIQUIDITY_CLOSED", "ROUND_TRIP_AS_STATED"],
    async prepare({ opener }) {
      const provider = opener.deployer.address;
      const bits = BITS.beforeAddLiquidity;
      return opener.openPool({ hooks: await opener.installHook("PrivateLiquidityHook", bits, [provider]) });
    },
  },
  {
    name: "an upgradeable hook, honest so far",
    verdict: "review",
    reasons: [
      "PROXY_EIP1967",
      "PROXY_ADMIN_SET",
      "ADMIN_IS_ACCOUNT",
      "HOOK_CAN_CHANGE",
      "HOOK_RUNS_OTHER_CODE",
      "ROUND_TRIP_AS_STATED",
    ],
    prepare: async ({ opener }) => opener.openPool({ hooks: await installUpgradeable(opener) }),
  },
  {
    name: "the same, upgraded to skim",
    verdict: "block",
    reasons: ["PROXY_EIP1967", "HOOK_SKIMS"],
    async prepare({ opener }) {
      const hooks = await installUpgradeable(opener);
      const input = await opener.openPool({ hooks });
      await opener.call(hooks, ownerAbi, "upgradeTo", [await opener.deploy("FeeHook", [1000n])]);
      return input;
    },
  },
  {
    name: "the owner's fee, raised to a tenth",
    verdict: "block",
    reasons: ["HOOK_SKIMS", "OWNER_IS_ACCOUNT"],
    async prepare({ opener, devnet }) {
      const hooks = await opener.installHook("OwnedFeeHook", TAKES_OUTPUT, [devnet.deployer.address]);
      const input = await opener.openPool({ hooks });
      await opener.call(hooks, ownerAbi, "setFee", [1000n]);
      return input;
    },
  },
  {
    name: "a hook that runs what a slot of its own names",
    verdict: "review",
    reasons: ["HOOK_RUNS_OTHER_CODE", "HOOK_CAN_CHANGE", "ROUND_TRIP_AS_STATED"],
    async prepare({ opener, devnet }) {
      const hooks = await opener.installHook("PuppetHook", beforeSwap | afterSwap);
      const master = await opener.deploy("PlainHook");
      await devnet.request("hardhat_setStorageAt", [hooks, "0x0", `0x${master.slice(2).padStart(64, "0")}`]);
      return opener.openPool({ hooks });
    },
  },
  {
    name: "no code where the hook should be",
    verdict: "block",
    reasons: ["HOOK_HAS_NO_CODE", "SWAPS_FAIL"],
    prepare: ({ opener }) => opener.openPool({ hooks: opener.nextAddress(beforeSwap) }),
  },
  {
    name: "no code, and no swap that calls it",
    verdict: "review",
    reasons: ["HOOK_HAS_NO_CODE", "HOOK_NOT_IN_SWAPS"],
    never: ["SWAPS_FAIL"],
    prepare: ({ opener }) => opener.openPool({ hooks: opener.nextAddress(0x20) }),
  },
  {
    name: "a delegated account (EIP-7702) as hook",
    verdict: "review",
    reasons: ["DELEGATED_ACCOUNT", "HOOK_CAN_CHANGE"],
    never: ["HOOK_STATELESS"],
    async prepare({ opener, devnet }) {
      const hooks = opener.nextAddress(beforeSwap | afterSwap);
      const delegate = await opener.deploy("PlainHook");
      await devnet.request("hardhat_setCode", [hooks, `0xef0100${delegate.slice(2)}`]);
      return opener.openPool({ hooks });
    },
  },
];

async function installUpgradeable(opener: HookFixture["opener"]): Promise<Hex> {
  const implementation = await opener.deploy("PlainHook");
  const { address } = opener.deployer;
  return opener.installHook("UpgradeableHook", TAKES_OUTPUT, [implementation, address]);
}

export const hookRows: readonly HookRow[] = [
  ...pools,
  ...sampled.map(
    ([name, sample, bits, verdict, reasons, args = [], fee = 3000]): HookRow => ({
      name,
      verdict,
      reasons,
      prepare: async ({ opener }) =>
        opener.openPool({
          hooks: await opener.installHook(sample, bits, args),
          fee,
          liquidity: parseEther("1000"),
        }),
    }),
  ),
];
