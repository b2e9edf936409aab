import { type Hex, readEtherPrice } from "@assay/protocol";
import { baseAddresses, lowercaseAddress } from "../chain-facts/baseAddresses.js";
import { findCanonicalToken } from "../chain-facts/canonicalTokens.js";
import { USDC, WETH } from "../chain-facts/knownContracts.js";
import type { Asset } from "../effects/movements.js";
import { decodeTokenLabel } from "../labels/decodeTokenLabel.js";
import type { Flow } from "./groupFlows.js";
import { findPoolValue, type PoolPrices } from "./poolPrices.js";
import type { TransactionIntentReadings } from "./transactionReadings.js";

/** Micro-dollars. */
type MicroUsd = bigint;

/** Stablecoins that are redeemed for a dollar. */
const DOLLARS: ReadonlySet<Hex> = new Set<Hex>([USDC, lowercaseAddress(baseAddresses.usdBc)]);

/** What prices and names are taken from. */
export interface PricedCase {
  readonly readings: Pick<TransactionIntentReadings, "tokens" | "etherPrice" | "block"> & {
    readonly poolPrices?: PoolPrices;
  };
}

export interface TokenFacts {
  readonly symbol: string;
  readonly decimals: number;
}

/** How a token calls itself, without characters that could hide or break the sentence. */
export function findTokenFacts({ readings }: PricedCase, token: Hex): TokenFacts | undefined {
  const read = readings.tokens.find((one) => one.token === token);
  if (read?.symbol.status !== "value") return undefined;
  const label = decodeTokenLabel(read.symbol.value);
  const symbol = label.form === null ? "" : label.text.replace(/[^\x21-\x7e]/g, "").slice(0, 16);
  const decimals =
    read.decimals.status === "value" && read.decimals.value.length === 66
      ? Number(BigInt(read.decimals.value))
      : 0;
  return symbol === "" || decimals > 36 ? undefined : { symbol, decimals };
}

/** Whether an asset is one that everybody knows: ether, wrapped ether, or a token of the registry. */
export function isKnownAsset({ readings }: PricedCase, { kind, token }: Asset): boolean {
  if (token === null) return true;
  if (kind !== "erc20") return false;
  return (
    findCanonicalToken(token) !== undefined ||
    readings.tokens.some((one) => one.token === token && one.known !== null)
  );
}

/** Whether the token is ether or dollars in another form, whose price needs no pool. */
export const hasOwnPrice = (token: Hex): boolean => token === WETH || DOLLARS.has(token);

/** A value and where it is from: a dollar for a dollar, the ETH/USD feed, or the pool at this address. */
export interface Valuation {
  readonly value: MicroUsd;
  readonly source: "dollar" | "feed" | Hex;
}

/** Undefined where no price can be had. */
export function findValuation(
  one: PricedCase,
  { asset: { kind, token }, amount }: Pick<Flow, "asset" | "amount">,
): Valuation | undefined {
  const own = valueByItself(one, token, amount);
  if (own !== undefined || token === null || kind !== "erc20") return own;
  const found = findPoolValue(
    one.readings.poolPrices ?? [],
    token,
    amount,
    (quote, bought) => valueByItself(one, quote, bought)?.value,
  );
  return found && { value: found.value, source: found.pool };
}

function valueByItself(one: PricedCase, token: Hex | null, amount: bigint): Valuation | undefined {
  if (token !== null && DOLLARS.has(token)) return { value: amount, source: "dollar" };
  if (token !== null && token !== WETH) return undefined;
  const price = findEtherPrice(one);
  return price === undefined ? undefined : { value: (amount * price) / 10n ** 20n, source: "feed" };
}

/** Undefined where no price can be had. */
export const findValue = (one: PricedCase, flow: Pick<Flow, "asset" | "amount">): MicroUsd | undefined =>
  findValuation(one, flow)?.value;

/** Dollars per ether with eight decimals, where the feed answered lately. */
const findEtherPrice = ({ readings: { etherPrice, block } }: PricedCase): bigint | undefined =>
  etherPrice.status === "value" ? readEtherPrice(etherPrice.value as Hex, block.timestamp) : undefined;

/** Sums whose loss is borne for convenience, such as the price of an item. */
const SMALL_SUM: MicroUsd = 100_000_000n;
/** The same where the feed gave no price. */
const SMALL_SUM_WEI = 5n * 10n ** 16n;

/** Whether all of them together are worth little. What has no price is not known to be. */
export function isSmallSum(one: PricedCase, flows: readonly Pick<Flow, "asset" | "amount">[]): boolean {
  const value = sumValues(one, flows);
  if (value !== undefined) return value <= SMALL_SUM;
  return flows.every(({ asset, amount }) => asset.token === null && amount <= SMALL_SUM_WEI);
}

/** The value of all of them; undefined where one has no price. */
export function sumValues(
  one: PricedCase,
  flows: readonly Pick<Flow, "asset" | "amount">[],
): MicroUsd | undefined {
  let sum = 0n;
  for (const flow of flows) {
    const value = findValue(one, flow);
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}
