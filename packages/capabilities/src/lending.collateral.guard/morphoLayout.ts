import type { Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { encodeAbiParameters, numberToHex, parseAbi } from "viem";

// https://github.com/morpho-org/sdks/blob/cdff8c458445/packages/morpho-ts/src/addresses.ts
/** Morpho Blue on Base. */
export const MORPHO: Hex = "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb";
/** The interest model that Morpho's own markets use on Base. */
export const ADAPTIVE_CURVE_IRM: Hex = "0x46415998764c29ab2a25cbea6254146d50d22687";

/** Morpho's factory of its Chainlink oracle (version 2) on Base: everything it has made runs that one code, which nobody can replace. */
export const ORACLE_FACTORY: Hex = "0x2dc205f24bcb6b311e5cdf0745b0741648aebd3d";

/** The functions of Morpho, of a market's oracle and of its interest model that are called. */
export const morphoAbi = parseAbi([
  "struct MarketParams { address loanToken; address collateralToken; address oracle; address irm; uint256 lltv; }",
  "struct Market { uint128 totalSupplyAssets; uint128 totalSupplyShares; uint128 totalBorrowAssets; uint128 totalBorrowShares; uint128 lastUpdate; uint128 fee; }",
  "function idToMarketParams(bytes32) view returns (address, address, address, address, uint256)",
  "function market(bytes32) view returns (uint128, uint128, uint128, uint128, uint128, uint128)",
  "function position(bytes32, address) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)",
  "function borrow(MarketParams marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver) returns (uint256, uint256)",
  "function borrowRateView(MarketParams marketParams, Market market) view returns (uint256)",
  "function price() view returns (uint256)",
  "function isMorphoChainlinkOracleV2(address) view returns (bool)",
]);

/** What defines a market: its id is the hash of these. */
export interface MarketParams {
  readonly loanToken: Hex;
  readonly collateralToken: Hex;
  readonly oracle: Hex;
  readonly irm: Hex;
  /** Of 10^18. */
  readonly lltv: bigint;
}

const parameterTypes = ["address", "address", "address", "address", "uint256"].map((type) => ({ type }));

export function marketIdOf({ loanToken, collateralToken, oracle, irm, lltv }: MarketParams): Hex {
  return keccak256(encodeAbiParameters(parameterTypes, [loanToken, collateralToken, oracle, irm, lltv]));
}

/** The words of Morpho's storage that a borrow depends on. */
export const morphoSlotNames = [
  "loanToken",
  "collateralToken",
  "oracle",
  "irm",
  "lltv",
  "supplyTotals",
  "borrowTotals",
  "lastUpdateAndFee",
  "borrowSharesAndCollateral",
] as const;
export type MorphoSlot = (typeof morphoSlotNames)[number];

/** Where Morpho's compiler put its mappings, in the order it declares them. */
const POSITION_SLOT = 2n;
const MARKET_SLOT = 3n;
const AUTHORIZATION_SLOT = 6n;
const PARAMS_SLOT = 8n;

/** A mapping's value begins at keccak256(key ‖ slot of the mapping). */
const within = (key: Hex, slot: bigint): bigint =>
  BigInt(keccak256(`0x${key.slice(2).padStart(64, "0")}${slot.toString(16).padStart(64, "0")}`));
const at = (slot: bigint): Hex => numberToHex(slot, { size: 32 });

/** The slots by name. */
export function locateMarket(marketId: Hex, user: Hex): Readonly<Record<MorphoSlot, Hex>> {
  const params = within(marketId, PARAMS_SLOT);
  const market = within(marketId, MARKET_SLOT);
  const position = within(user, within(marketId, POSITION_SLOT));
  return {
    loanToken: at(params),
    collateralToken: at(params + 1n),
    oracle: at(params + 2n),
    irm: at(params + 3n),
    lltv: at(params + 4n),
    supplyTotals: at(market),
    borrowTotals: at(market + 1n),
    lastUpdateAndFee: at(market + 2n),
    // The slot before it holds the user's supply shares, which no borrow depends on.
    borrowSharesAndCollateral: at(position + 1n),
  };
}

/** Where Morpho keeps whether an agent may borrow and withdraw for a user. */
export const locateAuthorization = (user: Hex, agent: Hex): Hex =>
  at(within(agent, within(user, AUTHORIZATION_SLOT)));

/** Two uint128 in one word, the first in its lower half. */
export function splitWord(word: Hex): [low: bigint, high: bigint] {
  const value = BigInt(word);
  return [value & (2n ** 128n - 1n), value >> 128n];
}
