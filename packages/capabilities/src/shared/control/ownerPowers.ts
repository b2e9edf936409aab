import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, parseAbiItem, toFunctionSelector } from "viem";

export const powerKinds = [
  "mint",
  "pause",
  "blacklist",
  "fee",
  "limit",
  "trading",
  "cooldown",
  "whitelist",
  "pair",
  "seize",
  "rescue",
  "upgrade",
] as const;
export type PowerKind = (typeof powerKinds)[number];

/** An argument of a trial: the trader, the pool, a share of the supply, or a fixed value. */
type Argument = "trader" | "pool" | "supply" | bigint | boolean;
type Attempt = readonly Argument[];

interface OwnerPower {
  readonly kind: PowerKind;
  readonly signature: string;
  readonly selector: Hex;
  /**
   * Arguments that would harm a seller most, tried in this order until one is accepted; empty where the power is only
   * reported.
   */
  readonly attempts: readonly Attempt[];
}

/** Percent, per mille and basis points are all in use, and many tokens cap what they accept. */
const FEES = [10_000n, 9_900n, 5_000n, 2_500n, 1_000n, 100n, 99n, 50n, 25n, 10n];
const SECONDS = [31_536_000n, 86_400n, 3_600n, 300n, 60n];
const all = (...values: readonly Argument[]): Attempt[] => values.map((value) => [value]);

/** Parameter types in the order of their arguments, so that a signature says how it is tried. */
const LISTS: readonly (readonly [PowerKind, readonly string[], readonly Attempt[]])[] = [
  ["mint", ["mint(address,uint256)", "mint(uint256)", "mintTo(address,uint256)", "issue(uint256)"], []],
  [
    "fee",
    [
      "setFee(uint256)",
      "setTax(uint256)",
      "setFees(uint256)",
      "setTaxes(uint256)",
      "setSellFee(uint256)",
      "setSellTax(uint256)",
      "updateSellFee(uint256)",
      "setSaleFee(uint256)",
      "setTransferFee(uint256)",
      "setTransferTax(uint256)",
      "setTaxFee(uint256)",
      "setTaxFeePercent(uint256)",
      "setLiquidityFeePercent(uint256)",
      "setTaxRate(uint256)",
      "setFeeRate(uint256)",
      "setFeePercent(uint256)",
      "setFeeBps(uint256)",
      "setTaxBps(uint256)",
      "changeFee(uint256)",
      "changeTax(uint256)",
      "updateFee(uint256)",
      "updateTax(uint256)",
      "setBuyFee(uint256)",
      "setBuyTax(uint256)",
    ],
    FEES.map((value) => [value]),
  ],
  [
    "fee",
    [
      "setFee(uint256,uint256)",
      "setFees(uint256,uint256)",
      "setTax(uint256,uint256)",
      "setTaxes(uint256,uint256)",
      "updateFees(uint256,uint256)",
      "updateTaxes(uint256,uint256)",
    ],
    FEES.map((value) => [value, value]),
  ],
  [
    "fee",
    [
      "setFees(uint256,uint256,uint256)",
      "setTaxes(uint256,uint256,uint256)",
      "updateFees(uint256,uint256,uint256)",
      "updateSellFees(uint256,uint256,uint256)",
      "updateBuyFees(uint256,uint256,uint256)",
      "setSellFees(uint256,uint256,uint256)",
      "setSellTaxes(uint256,uint256,uint256)",
    ],
    [...FEES, 33n, 8n, 3n].map((value) => [value, value, value]),
  ],
  ["pause", ["pause()", "pauseTrading()", "stop()", "freeze()", "pauseTransfers()", "lock()"], [[]]],
  ["pause", ["setPaused(bool)", "setPause(bool)", "setTransfersPaused(bool)"], all(true)],
  [
    "blacklist",
    [
      "blacklist(address)",
      "blackList(address)",
      "addBlacklist(address)",
      "addBlackList(address)",
      "addToBlacklist(address)",
      "blacklistAddress(address)",
      "blacklistAccount(address)",
      "addBot(address)",
      "setBot(address)",
      "ban(address)",
      "freeze(address)",
      "blockAccount(address)",
      "blockAddress(address)",
    ],
    all("trader"),
  ],
  [
    "blacklist",
    [
      "blacklist(address,bool)",
      "setBlacklist(address,bool)",
      "setBlackList(address,bool)",
      "setBlacklisted(address,bool)",
      "updateBlacklist(address,bool)",
      "blacklistAddress(address,bool)",
      "blacklistAccount(address,bool)",
      "setBot(address,bool)",
      "setBots(address,bool)",
      "setBlocked(address,bool)",
      "freezeAccount(address,bool)",
    ],
    [["trader", true]],
  ],
  [
    "blacklist",
    ["addBots(address[])", "setBots(address[])", "blockBots(address[])", "addBlacklist(address[])"],
    all("trader"),
  ],
  [
    "blacklist",
    ["setBlacklist(address[],bool)", "blacklist(address[],bool)", "setBots(address[],bool)"],
    [["trader", true]],
  ],
  [
    "limit",
    [
      "setMaxTx(uint256)",
      "setMaxTxAmount(uint256)",
      "setMaxTxPercent(uint256)",
      "setMaxTransaction(uint256)",
      "setMaxTransactionAmount(uint256)",
      "updateMaxTxnAmount(uint256)",
      "setMaxTransferAmount(uint256)",
      "setMaxSell(uint256)",
      "setMaxSellAmount(uint256)",
      "setMaxSellTransaction(uint256)",
      "setMaxWallet(uint256)",
      "setMaxWalletSize(uint256)",
      "setMaxWalletAmount(uint256)",
      "updateMaxWalletAmount(uint256)",
    ],
    all(1n, 0n, "supply"),
  ],
  [
    "limit",
    ["setLimits(uint256,uint256)", "setMaxLimits(uint256,uint256)"],
    [
      [1n, 1n],
      [0n, 0n],
    ],
  ],
  [
    "trading",
    [
      "setTradingEnabled(bool)",
      "setTrading(bool)",
      "setTradingOpen(bool)",
      "setTradingActive(bool)",
      "setTradingStatus(bool)",
      "enableTrading(bool)",
      "tradingStatus(bool)",
      "setSwapEnabled(bool)",
      "setSellEnabled(bool)",
      "setSellingEnabled(bool)",
      "setCanSell(bool)",
      "setTransfersEnabled(bool)",
    ],
    all(false),
  ],
  ["trading", ["disableTrading()", "closeTrading()", "toggleTrading()", "stopTrading()"], [[]]],
  [
    "cooldown",
    [
      "setCooldown(uint256)",
      "setCooldownTime(uint256)",
      "setCooldownPeriod(uint256)",
      "setTransferDelay(uint256)",
      "setSellDelay(uint256)",
      "setSellCooldown(uint256)",
    ],
    SECONDS.map((value) => [value]),
  ],
  ["cooldown", ["setCooldownEnabled(bool)", "setTransferDelayEnabled(bool)"], all(true)],
  ["cooldown", ["setCooldown(bool,uint256)"], SECONDS.map((value) => [true, value])],
  ["whitelist", ["setWhitelist(address,bool)", "setWhitelisted(address,bool)"], [["trader", false]]],
  ["whitelist", ["setWhitelistEnabled(bool)", "setWhitelistOnly(bool)", "enableWhitelist(bool)"], all(true)],
  ["whitelist", ["excludeFromFee(address)", "excludeFromFees(address,bool)"], []],
  [
    "pair",
    [
      "setPair(address)",
      "updatePair(address)",
      "setUniswapPair(address)",
      "setUniswapV2Pair(address)",
      "blockPair(address)",
      "setBlockedPair(address)",
      "blacklistPair(address)",
      "setMarketMaker(address)",
    ],
    all("pool"),
  ],
  [
    "pair",
    [
      "setPair(address,bool)",
      "setAutomatedMarketMakerPair(address,bool)",
      "setAmmPair(address,bool)",
      "setPairBlocked(address,bool)",
      "setMarketMaker(address,bool)",
    ],
    [["pool", true]],
  ],
  [
    "seize",
    ["burn(address,uint256)", "seize(address,uint256)", "confiscate(address,uint256)"],
    [["trader", 1n]],
  ],
  [
    "rescue",
    [
      "rescueTokens(address)",
      "rescueTokens(address,uint256)",
      "rescueERC20(address,uint256)",
      "rescueETH()",
      "recoverERC20(address,uint256)",
      "withdrawToken(address)",
      "withdrawTokens(address,uint256)",
      "withdrawStuckETH()",
      "withdrawStuckTokens(address)",
      "clearStuckBalance()",
      "withdraw()",
    ],
    [],
  ],
  ["upgrade", ["upgradeTo(address)", "upgradeToAndCall(address,bytes)", "setImplementation(address)"], []],
];

/**
 * The functions that are recognised by name. The list is bounded on purpose: other functions are tried blindly, or
 * reported as unknown.
 */
export const ownerPowers: readonly OwnerPower[] = LISTS.flatMap(([kind, signatures, attempts]) =>
  signatures.map((signature) => ({ kind, signature, selector: toFunctionSelector(signature), attempts })),
);

const bySelector = new Map(ownerPowers.map((power) => [power.selector, power]));

export function findOwnerPower(selector: Hex): OwnerPower | undefined {
  return bySelector.get(selector);
}

/** `hasRole(bytes32,address)`: powers may be held by others than the owner. */
export const HAS_ROLE_SELECTOR: Hex = "0x91d14854";

export interface TrialTargets {
  readonly trader: Hex;
  readonly pool: Hex;
  /** Total supply in the smallest unit; a ten-thousandth of it is tried as a limit. */
  readonly supply: bigint;
}

/** The calls that exercise a known power, the most harmful first. */
export function encodePowerCalls(power: OwnerPower, targets: TrialTargets): Hex[] {
  const item = parseAbiItem(`function ${power.signature}`);
  if (item.type !== "function") throw new Error(`${power.signature} is no function`);
  return power.attempts.map((attempt): Hex => {
    const values = item.inputs.map(({ type }, index) => {
      const value = resolveArgument(attempt[index], targets);
      return type.endsWith("[]") ? [value] : value;
    });
    return `${power.selector}${encodeAbiParameters(item.inputs, values).slice(2)}`;
  });
}

function resolveArgument(argument: Argument | undefined, targets: TrialTargets): Hex | bigint | boolean {
  if (argument === undefined) throw new Error("a power is tried with too few arguments");
  if (argument === "trader") return targets.trader;
  if (argument === "pool") return targets.pool;
  return argument === "supply" ? targets.supply / 10_000n : argument;
}
