import type { Asset } from "../effects/movements.js";
import { isReduced } from "./judgeValue.js";
import { findValue, isKnownAsset, type PricedCase } from "./priceAssets.js";

/** Micro-dollars. */
const DOLLAR = 1_000_000n;
const SMALL = 100n * DOLLAR;
/** For each thing without a price that is sold. */
const LEAST_PRICE = 5n * DOLLAR;
/** An item or a token that nobody published may be worth this much to its buyer; for more, its price has to be known. */
const MOST_FOR_UNPRICED = 10_000n * DOLLAR;

/** Something that is given or asked for. Of an item, `id` is null where any of its collection will do. */
export interface Offered extends Asset {
  /** Whole, decimal, in the smallest unit. */
  readonly amount: string;
}

/** What an offer is worth to the one who makes or accepts it. The last four are known of no finished trade. */
export type Weight =
  | "BALANCED_RETURN"
  | "VALUE_REDUCED"
  | "VALUE_LOST"
  | "ORDER_GIVES_AWAY"
  | "UNPRICED_SOLD"
  | "ITEM_BOUGHT"
  | "RETURN_UNVALUED"
  | "PRICE_LOW"
  | "PRICE_UNKNOWN"
  | "ORDER_TO_ANYBODY";

interface Side<T> {
  /** Micro-dollars of what has a price. */
  readonly value: bigint;
  readonly unpriced: readonly T[];
}

export const isItem = ({ kind }: Asset): boolean => kind === "erc721" || kind === "erc1155";

const ALL = (2n ** 256n - 1n).toString();

/**
 * What really moves for an item that is given. Exchanges move an item (ERC-721) by the function that moves an amount (ERC-20),
 * `transferFrom(address,address,uint256)`: the number of an "item" of a token is an amount of it, and any number is all of it.
 */
export function readGiven<T extends Offered>(one: PricedCase, item: T): T {
  if (!isItem(item) || !isCounted(one, item)) return item;
  const amount = item.id === null ? ALL : [item.id, item.amount].reduce(larger);
  return { ...item, kind: "erc20", id: null, amount };
}

const larger = (a: string, b: string): string => (BigInt(a) > BigInt(b) ? a : b);

/** Whether a token is one of amounts: it is known as such, or states decimals, which items have none of. */
function isCounted(one: PricedCase, { token }: Offered): boolean {
  if (token === null || isKnownAsset(one, { kind: "erc20", token, id: null })) return true;
  const decimals = one.readings.tokens.find((entry) => entry.token === token)?.decimals;
  return decimals?.status === "value" && decimals.value.length === 66;
}

export function sumSide<T extends Offered>(one: PricedCase, items: readonly T[]): Side<T> {
  const valued = items.map((item) => ({
    item,
    value: isItem(item) ? undefined : findValue(one, { asset: item, amount: BigInt(item.amount) }),
  }));
  return {
    value: valued.reduce((sum, { value }) => sum + (value ?? 0n), 0n),
    unpriced: valued.filter(({ value }) => value === undefined).map(({ item }) => item),
  };
}

/**
 * What has a price is set against what has one. What has none only adds to what is given, and counts as a return only where
 * little is given, or where its price is for the owner to know and the rest has a bound.
 */
export function weighOffer(one: PricedCase, gives: readonly Offered[], gets: readonly Offered[]): Weight {
  const [given, gotten] = [
    sumSide(
      one,
      gives.map((item) => readGiven(one, item)),
    ),
    sumSide(one, gets),
  ];
  if (given.unpriced.length > 0) return weighSale(given, gotten);
  if (!isReduced(given.value, gotten.value, false)) return "BALANCED_RETURN";
  if (gotten.unpriced.length > 0 && gotten.value * 2n < given.value)
    return weighPurchase(one, given.value - gotten.value, gotten.unpriced);
  return gotten.value * 2n < given.value ? "VALUE_LOST" : "VALUE_REDUCED";
}

/** Something without a price is sold: what comes beyond the priced part that is given with it is its price. */
function weighSale(given: Side<Offered>, gotten: Side<Offered>): Weight {
  const isBalanced = !isReduced(given.value, gotten.value, false);
  if (!isBalanced && gotten.unpriced.length > 0 && given.value <= SMALL) return "RETURN_UNVALUED";
  if (!isBalanced) return gotten.value * 2n < given.value ? "VALUE_LOST" : "VALUE_REDUCED";
  const price = gotten.value - given.value;
  // Of an ERC-1155 item there may be many, and of a collection as many items may be taken, one after the other.
  const count = given.unpriced.reduce((sum, item) => sum + (isItem(item) ? BigInt(item.amount) : 1n), 0n);
  if (gotten.unpriced.length > 0 && price < LEAST_PRICE * count) return "RETURN_UNVALUED";
  if (price < DOLLAR) return "ORDER_GIVES_AWAY";
  if (price < LEAST_PRICE * count) return "PRICE_LOW";
  // Where any item of a collection will do, the buyer takes the best.
  return given.unpriced.every((item) => isItem(item) && item.id !== null) ? "UNPRICED_SOLD" : "PRICE_UNKNOWN";
}

/** Dollars are given for something without a price. */
function weighPurchase(one: PricedCase, paid: bigint, bought: readonly Offered[]): Weight {
  const items = bought.filter(isItem);
  if (items.some(({ id }) => id === null)) return "ORDER_TO_ANYBODY";
  if (paid > MOST_FOR_UNPRICED && !bought.some((item) => isKnownAsset(one, item))) return "VALUE_LOST";
  return items.length > 0 && paid <= SMALL ? "ITEM_BOUGHT" : "RETURN_UNVALUED";
}
