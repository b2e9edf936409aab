import type { Hex } from "@assay/protocol";
import type { Asset } from "../shared/effects/movements.js";
import { looksLike } from "../shared/effects/partyView.js";
import { tellAmount, tellUsd } from "../shared/intents/describeEffects.js";
import { tellLoss } from "../shared/intents/judgeValue.js";
import { isItem, readGiven, sumSide, type Weight, weighOffer } from "../shared/intents/weighOffer.js";
import { isNothing } from "./forms/tradeItems.js";
import type { Trade, TradeItem } from "./meaning.js";
import { type MessageCase, type Notes, wasPaidBefore } from "./messageCase.js";

/** Smallest units: less is nothing in any token. */
const NEGLIGIBLE = 100n;
const MAX_TOLD = 4;

/** Judges orders by what comes for what is given, and by who receives it; several of one signature also as a whole. */
export function judgeTrades(one: MessageCase): Notes {
  const trades = one.meaning.trades.filter(({ gives }) => gives.length > 0);
  const notes = [...noteCut(one, trades), ...trades.flatMap((trade) => judgeTrade(one, trade))];
  return trades.length > 1 ? [...notes, ...judgeTogether(one, trades)] : notes;
}

/** What is offered beyond what was asked about may be worth anything. */
function noteCut({ readings: { tokens, parties } }: MessageCase, trades: readonly Trade[]): Notes {
  const isUnasked = ({ token, ...item }: TradeItem): boolean =>
    token !== null &&
    (!tokens.some((read) => read.token === token) ||
      (isItem({ token, ...item }) && !parties.some(({ address }) => address === token)));
  if (!trades.some(({ gives }) => gives.some(isUnasked))) return [];
  return [{ code: "MESSAGE_CUT", limitation: "Not everything that is offered was asked about." }];
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

const isWorthMore = (item: TradeItem): boolean =>
  !isNothing(item) && BigInt(item.amount) >= (isItem(item) ? 1n : NEGLIGIBLE);

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

function judgePrice(one: MessageCase, gives: readonly TradeItem[], own: readonly TradeItem[]): Notes {
  const code = weighOffer(one, gives, own);
  const limitation = limitations[code];
  if (isSale(code) && gives.some((item) => standsForMoney(one, item))) return [{ code: "RECEIPT_SOLD" }];
  return [limitation === undefined ? { code } : { code, limitation }];
}

const isSale = (code: Weight): boolean => code === "UNPRICED_SOLD" || code === "PRICE_UNKNOWN";

const limitations: Readonly<Partial<Record<Weight, string>>> = {
  PRICE_UNKNOWN: "What the order gives has no price here, so whether enough comes for it was not judged.",
  RETURN_UNVALUED: "What the order asks for has no price here, so whether it is enough was not judged.",
};

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

const toAsset = ({ kind, token, id }: TradeItem): Asset => ({ kind, token, id });

/** One sentence for each order: what is given for what, and to whom that goes. */
export function tellTrades(one: MessageCase): string[] {
  return one.meaning.trades.slice(0, MAX_TOLD).map(({ maker, gives, gets }) => {
    const tell = (offered: TradeItem) => {
      const item = gives.includes(offered) ? readGiven(one, offered) : offered;
      const usd = tellUsd(one, { asset: toAsset(item), amount: BigInt(item.amount) });
      const amount = tellAmount(one, toAsset(item), BigInt(item.amount));
      const to = item.to === null || item.to === maker ? "" : ` for ${one.viewParty(item.to).name}`;
      return `${amount}${usd ? ` (${usd})` : ""}${to}`;
    };
    const list = (items: readonly TradeItem[]) =>
      items.length === 0 ? "nothing" : items.slice(0, MAX_TOLD).map(tell).join(" and ");
    const moved = gives.map((item) => readGiven(one, item));
    const [given, gotten] = [sumSide(one, moved), sumSide(one, gets)];
    const isPriced = given.unpriced.length === 0 && gotten.unpriced.length === 0;
    const loss = isPriced && gets.length > 0 ? tellLoss(given.value, gotten.value) : "";
    return `Offers ${list(gives)} and asks for ${list(gets)}${loss === "" ? "" : `, ${loss}`}.`;
  });
}
