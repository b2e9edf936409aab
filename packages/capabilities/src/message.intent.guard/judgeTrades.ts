import type { Hex } from "@assay/protocol";
import type { Asset } from "../shared/effects/movements.js";
import { looksLike } from "../shared/effects/partyView.js";
import { tellAmount, tellUsd } from "../shared/intents/describeEffects.js";
import { findValue, isKnownAsset } from "../shared/intents/priceAssets.js";
import type { Trade, TradeItem } from "./meaning.js";
import { type MessageCase, type Notes, wasPaidBefore } from "./messageCase.js";

/** Micro-dollars. */
const DOLLAR = 1_000_000n;
/** Smallest units: less is nothing in any token. */
const NEGLIGIBLE = 100n;
const MAX_TOLD = 4;

/** Judges orders by what comes for what is given, and by who receives it. */
export const judgeTrades = (one: MessageCase): Notes =>
  one.meaning.trades.flatMap((trade) => (trade.gives.length === 0 ? [] : judgeTrade(one, trade)));

function judgeTrade(one: MessageCase, trade: Trade): Notes {
  const isOwn = ({ to }: TradeItem) => to === null || to === trade.maker || one.own.has(to);
  const own = trade.gets.filter((item) => isOwn(item) && isWorthMore(item));
  const others = trade.gets.filter((item) => !isOwn(item));
  if (own.length === 0) return [...judgeReceivers(one, others), { code: "ORDER_GIVES_AWAY" }];
  return [...judgePortions(one, trade, own, others), ...judgePrice(one, trade, own)];
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

function judgePrice(one: MessageCase, { gives }: Trade, own: readonly TradeItem[]): Notes {
  const [given, gotten] = [sumValue(one, gives), sumValue(one, own)];
  if (given !== undefined && gotten !== undefined) {
    if (gotten * 2n < given) return [{ code: "VALUE_LOST" }];
    return [{ code: gotten * 10n < given * 9n ? "VALUE_REDUCED" : "BALANCED_RETURN" }];
  }
  if (gotten !== undefined) {
    if (gotten < DOLLAR) return [{ code: "ORDER_GIVES_AWAY" }];
    if (gotten < 5n * DOLLAR) return [{ code: "PRICE_LOW" }];
    return [{ code: "UNPRICED_SOLD" }];
  }
  const hasItem = own.some(({ kind }) => kind === "erc721" || kind === "erc1155");
  if (hasItem && own.some(({ id }) => id === null)) return [{ code: "ORDER_TO_ANYBODY" }];
  if (hasItem && given !== undefined && given <= 100n * DOLLAR) return [{ code: "ITEM_BOUGHT" }];
  const isKnown = own.every((item) => isKnownAsset(one, toAsset(item)));
  const limitation = isKnown
    ? "What the order asks for has no price here, so whether it is enough was not judged."
    : "What the order asks for is not a token that is known, and has no price here.";
  return [{ code: "RETURN_UNVALUED", limitation }];
}

const toAsset = ({ kind, token, id }: TradeItem): Asset => ({ kind, token, id });

function sumValue(one: MessageCase, items: readonly TradeItem[]): bigint | undefined {
  let sum = 0n;
  for (const item of items) {
    const value =
      item.kind === "native" || item.kind === "erc20"
        ? findValue(one, { asset: toAsset(item), amount: BigInt(item.amount) })
        : undefined;
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
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
    return `Offers ${list(gives)} and asks for ${list(gets)}.`;
  });
}
