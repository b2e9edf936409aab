import type { Hex } from "@assay/protocol";
import type { Asset } from "../shared/effects/movements.js";
import { looksLike } from "../shared/effects/partyView.js";
import { tellAmount, tellUsd } from "../shared/intents/describeEffects.js";
import { isReduced, tellLoss } from "../shared/intents/judgeValue.js";
import { findValue, isKnownAsset } from "../shared/intents/priceAssets.js";
import type { Trade, TradeItem } from "./meaning.js";
import { type MessageCase, type Notes, wasPaidBefore } from "./messageCase.js";

/** Micro-dollars. */
const DOLLAR = 1_000_000n;
const SMALL = 100n * DOLLAR;
/** For each thing without a price that is sold. */
const LEAST_PRICE = 5n * DOLLAR;
/** An item or a token that nobody published may be worth this much to its buyer; for more, its price has to be known. */
const MOST_FOR_UNPRICED = 10_000n * DOLLAR;
/** Smallest units: less is nothing in any token. */
const NEGLIGIBLE = 100n;
const MAX_TOLD = 4;

/** Judges orders by what comes for what is given, and by who receives it; several of one signature also as a whole. */
export function judgeTrades(one: MessageCase): Notes {
  const trades = one.meaning.trades.filter(({ gives }) => gives.length > 0);
  const notes = trades.flatMap((trade) => judgeTrade(one, trade));
  return trades.length > 1 ? [...notes, ...judgeTogether(one, trades)] : notes;
}

/** Each of many small orders may be filled: what they give and get in all counts too. */
function judgeTogether(one: MessageCase, trades: readonly Trade[]): Notes {
  const gives = trades.flatMap((trade) => trade.gives);
  const own = trades.flatMap((trade) => listOwn(one, trade));
  return own.length === 0 ? [] : judgePrice(one, gives, own);
}

const isOwn = (one: MessageCase, { maker }: Trade, { to }: TradeItem): boolean =>
  to === null || to === maker || one.own.has(to);
const listOwn = (one: MessageCase, trade: Trade): TradeItem[] =>
  trade.gets.filter((item) => isOwn(one, trade, item) && isWorthMore(item));

function judgeTrade(one: MessageCase, trade: Trade): Notes {
  const own = listOwn(one, trade);
  const others = trade.gets.filter((item) => !isOwn(one, trade, item));
  if (own.length === 0) return [...judgeReceivers(one, others), { code: "ORDER_GIVES_AWAY" }];
  return [...judgePortions(one, trade, own, others), ...judgePrice(one, trade.gives, own)];
}

const isWorthMore = ({ kind, amount }: TradeItem): boolean =>
  kind === "erc721" || kind === "erc1155" ? BigInt(amount) > 0n : BigInt(amount) >= NEGLIGIBLE;

/** All that comes for what is given goes to others. */
function judgeReceivers(one: MessageCase, others: readonly TradeItem[]): Notes {
  return others.flatMap(({ to, amount }): Notes => {
    if (to === null || amount === "0") return [];
    return [{ code: wasPaidBefore(one, to) ? "PROCEEDS_TO_ANOTHER" : "PROCEEDS_TO_STRANGER" }];
  });
}

/** Fees and royalties go to others; a quarter of the price does not. */
function judgePortions(
  one: MessageCase,
  { gives }: Trade,
  own: readonly TradeItem[],
  others: readonly TradeItem[],
): Notes {
  return others.flatMap((item): Notes => {
    if (item.kind === "erc721" || item.kind === "erc1155") return [{ code: "PORTION_TO_ANOTHER" }];
    const sum = (items: readonly TradeItem[]) =>
      items
        .filter(({ token }) => token === item.token)
        .reduce((total, { amount }) => total + BigInt(amount), 0n);
    // The fee of a bid is paid out of what is bid.
    const [mine, theirs] = [sum(own), sum(others)];
    const whole = mine === 0n ? sum(gives) : mine + theirs;
    const share = whole === 0n ? 100n : (theirs * 100n) / whole;
    if (item.to !== null && [...one.own].some((address) => looksLike(item.to as Hex, address)))
      return [{ code: "LOOK_ALIKE_RECIPIENT" }];
    if (share > 25n) return [{ code: "PORTION_TO_ANOTHER" }];
    return share > 15n ? [{ code: "VALUE_REDUCED" }] : [];
  });
}

interface Side {
  /** Micro-dollars of what has a price. */
  readonly value: bigint;
  readonly unpriced: readonly TradeItem[];
}

/**
 * What has a price is set against what has one. What has none only adds to what is given, and counts as a return only where
 * little is given, or where its price is for the signer to know and the rest has a bound.
 */
function judgePrice(one: MessageCase, gives: readonly TradeItem[], own: readonly TradeItem[]): Notes {
  const [given, gotten] = [sumSide(one, gives), sumSide(one, own)];
  if (given.unpriced.length > 0) return judgeSale(one, given, gotten);
  if (!isReduced(given.value, gotten.value, false)) return [{ code: "BALANCED_RETURN" }];
  if (gotten.unpriced.length > 0 && gotten.value * 2n < given.value)
    return [judgePurchase(one, given.value - gotten.value, gotten.unpriced)];
  return [{ code: gotten.value * 2n < given.value ? "VALUE_LOST" : "VALUE_REDUCED" }];
}

/** Something without a price is sold: what comes beyond the priced part that is given with it is its price. */
function judgeSale(one: MessageCase, given: Side, gotten: Side): Notes {
  const isBalanced = !isReduced(given.value, gotten.value, false);
  if (!isBalanced && gotten.unpriced.length > 0 && given.value <= SMALL) return [unvalued];
  if (!isBalanced) return [{ code: gotten.value * 2n < given.value ? "VALUE_LOST" : "VALUE_REDUCED" }];
  const price = gotten.value - given.value;
  // Of an ERC-1155 item there may be many, each of which is a thing of its own.
  const count = given.unpriced.reduce(
    (sum, { kind, amount }) => sum + (kind === "erc1155" ? BigInt(amount) : 1n),
    0n,
  );
  if (gotten.unpriced.length > 0 && price < LEAST_PRICE * count) return [unvalued];
  if (price < DOLLAR) return [{ code: "ORDER_GIVES_AWAY" }];
  if (price < LEAST_PRICE * count) return [{ code: "PRICE_LOW" }];
  if (given.unpriced.some((item) => standsForMoney(one, item))) return [{ code: "RECEIPT_SOLD" }];
  if (given.unpriced.every(isItem)) return [{ code: "UNPRICED_SOLD" }];
  const limitation = "What the order gives has no price here, so whether enough comes for it was not judged.";
  return [{ code: "PRICE_UNKNOWN", limitation }];
}

const isItem = ({ kind }: TradeItem): boolean => kind === "erc721" || kind === "erc1155";

/**
 * Items of published contracts that keep deposits (position managers, vaults, lockers), and tokens that name what they are
 * shares of. Each is worth what was deposited, which five dollars are no measure of.
 */
function standsForMoney(one: MessageCase, item: TradeItem): boolean {
  if (!isItem(item) || item.token === null) return false;
  const role = one.viewParty(item.token).reading?.known?.role;
  const receipt = one.readings.tokens.find(({ token }) => token === item.token)?.isReceipt;
  return (role !== undefined && role !== "token") || (receipt?.status === "value" && receipt.value);
}

/** Dollars are given for something without a price. */
function judgePurchase(one: MessageCase, paid: bigint, bought: readonly TradeItem[]): Notes[number] {
  const items = bought.filter(isItem);
  if (items.some(({ id }) => id === null)) return { code: "ORDER_TO_ANYBODY" };
  const isKnown = bought.some((item) => isKnownAsset(one, toAsset(item)));
  if (paid > MOST_FOR_UNPRICED && !isKnown) return { code: "VALUE_LOST" };
  if (items.length > 0 && paid <= SMALL) return { code: "ITEM_BOUGHT" };
  return unvalued;
}

const unvalued: Notes[number] = {
  code: "RETURN_UNVALUED",
  limitation: "What the order asks for has no price here, so whether it is enough was not judged.",
};

const toAsset = ({ kind, token, id }: TradeItem): Asset => ({ kind, token, id });

function sumSide(one: MessageCase, items: readonly TradeItem[]): Side {
  const valued = items.map((item) => ({
    item,
    value:
      item.kind === "native" || item.kind === "erc20"
        ? findValue(one, { asset: toAsset(item), amount: BigInt(item.amount) })
        : undefined,
  }));
  return {
    value: valued.reduce((sum, { value }) => sum + (value ?? 0n), 0n),
    unpriced: valued.filter(({ value }) => value === undefined).map(({ item }) => item),
  };
}

/** One sentence for each order: what is given for what, and to whom that goes. */
export function tellTrades(one: MessageCase): string[] {
  return one.meaning.trades.slice(0, MAX_TOLD).map(({ maker, gives, gets }) => {
    const tell = (item: TradeItem) => {
      const usd = tellUsd(one, { asset: toAsset(item), amount: BigInt(item.amount) });
      const amount = tellAmount(one, toAsset(item), BigInt(item.amount));
      const to = item.to === null || item.to === maker ? "" : ` for ${one.viewParty(item.to).name}`;
      return `${amount}${usd ? ` (${usd})` : ""}${to}`;
    };
    const list = (items: readonly TradeItem[]) =>
      items.length === 0 ? "nothing" : items.slice(0, MAX_TOLD).map(tell).join(" and ");
    const [given, gotten] = [sumSide(one, gives), sumSide(one, gets)];
    const isPriced = given.unpriced.length === 0 && gotten.unpriced.length === 0;
    const loss = isPriced && gets.length > 0 ? tellLoss(given.value, gotten.value) : "";
    return `Offers ${list(gives)} and asks for ${list(gets)}${loss === "" ? "" : `, ${loss}`}.`;
  });
}
