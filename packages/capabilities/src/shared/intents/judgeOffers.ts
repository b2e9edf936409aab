import type { Hex } from "@assay/protocol";
import { isPerson } from "../effects/partyView.js";
import type { PolicyCode } from "../effects/policy.js";
import type { Note } from "../verdict/note.js";
import type { DecodedCall } from "./decodeCalls.js";
import type { GroupFlows } from "./groupFlows.js";
import type { IntentCase } from "./intentCase.js";
import { isItem, type Offered, type Weight, weighOffer } from "./weighOffer.js";

type Notes = Note<PolicyCode>[];

/** The mark of ether in listings. */
const NATIVE_MARK = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
/** An order for less than this asks for nothing. In the smallest units of whatever is asked for. */
const NEGLIGIBLE = 1000n;

interface Offer {
  readonly gives: readonly Offered[];
  /** What comes to the one who makes the offer. */
  readonly gets: readonly Offered[];
}

/**
 * Orders of the sender's own that a call leaves with a market. Anybody may fill them without another signature, so they are
 * weighed as signed ones are.
 */
export function judgeOffers(one: IntentCase): Notes {
  return one.calls.flatMap(({ meaning, args, signature }): Notes => {
    const isPlaced = meaning?.effect === "order" && !/^(cancel|invalidate|fulfill)/.test(signature ?? "");
    if (!isPlaced || args === null) return [];
    return listOffers(one, args).flatMap(({ gives, gets }): Notes => {
      if (gives.length === 0) return [];
      if (gets.length === 0) return [{ code: "ORDER_GIVES_AWAY" }];
      const weight = weighOffer(one, gives, gets);
      // A receipt is worth its deposit, which no price of an item shows.
      if (weight === "UNPRICED_SOLD" && gives.some((item) => isReceipt(one, item)))
        return [{ code: "RETURN_UNVALUED" }];
      return toNotes(weight);
    });
  });
}

/** The policy has one line each for what is given away, what is cheap, and what nobody can value. */
const lines: Readonly<Partial<Record<Weight, PolicyCode>>> = {
  ORDER_GIVES_AWAY: "ORDER_GIVES_AWAY",
  VALUE_LOST: "VALUE_LOST",
  VALUE_REDUCED: "VALUE_REDUCED",
  PRICE_LOW: "VALUE_REDUCED",
  RETURN_UNVALUED: "RETURN_UNVALUED",
  PRICE_UNKNOWN: "RETURN_UNVALUED",
  ORDER_TO_ANYBODY: "RETURN_UNVALUED",
};
const toNotes = (weight: Weight): Notes => {
  const code = lines[weight];
  return code === undefined ? [] : [{ code }];
};

/** One that was not asked, because too many are offered at once, may be one. */
const isReceipt = (one: IntentCase, { token }: Offered): boolean => {
  const read = one.readings.tokens.find((entry) => entry.token === token);
  return read === undefined || (read.isReceipt?.status === "value" && read.isReceipt.value);
};

/** Contracts of the items that orders among the arguments offer. */
export function listOfferedItems(value: unknown): Hex[] {
  if (typeof value !== "object" || value === null) return [];
  if ("offerer" in value && "offer" in value && Array.isArray(value.offer))
    return (value.offer as SeaportItem[]).flatMap(({ itemType, token }) =>
      Number(itemType) > 1 ? [token] : [],
    );
  if ("assetContract" in value && "pricePerToken" in value) return [(value as Listing).assetContract];
  return Object.values(value).flatMap(listOfferedItems);
}

/** Every offer of the sender's among the arguments, however deep. */
function listOffers(one: IntentCase, value: unknown): Offer[] {
  if (typeof value !== "object" || value === null) return [];
  if ("offerer" in value && "offer" in value && "consideration" in value) {
    const { offerer, offer, consideration } = value as SeaportOrder;
    if (!one.own.has(offerer) && !one.claimed.includes(offerer)) return [];
    const isMine = ({ recipient }: SeaportItem) => recipient === offerer || one.own.has(recipient as Hex);
    const gets = consideration.filter(isMine).map((item) => readItem(item, "least"));
    return [{ gives: offer.map((item) => readItem(item, "most")), gets: gets.filter(isSomething) }];
  }
  if ("assetContract" in value && "pricePerToken" in value && "currency" in value) {
    const { assetContract, tokenId, quantity, currency, pricePerToken } = value as Listing;
    const isEther = currency === NATIVE_MARK;
    const price = (BigInt(pricePerToken) * BigInt(quantity)).toString();
    const gets: Offered[] = [
      { kind: isEther ? "native" : "erc20", token: isEther ? null : currency, id: null, amount: price },
    ];
    const gives: Offered[] = [{ kind: "erc1155", token: assetContract, id: tokenId, amount: quantity }];
    return [{ gives, gets: gets.filter(isSomething) }];
  }
  return Object.values(value).flatMap((inner) => listOffers(one, inner));
}

interface SeaportItem {
  readonly itemType: string;
  readonly token: Hex;
  readonly identifierOrCriteria: string;
  readonly startAmount: string;
  readonly endAmount: string;
  readonly recipient?: string;
}
interface SeaportOrder {
  readonly offerer: Hex;
  readonly offer: readonly SeaportItem[];
  readonly consideration: readonly SeaportItem[];
}
interface Listing {
  readonly assetContract: Hex;
  readonly tokenId: string;
  readonly quantity: string;
  readonly currency: Hex;
  readonly pricePerToken: string;
}

/** Types 4 and 5 name a set of items, from which the other side chooses. */
const itemKinds = ["native", "erc20", "erc721", "erc1155", "erc721", "erc1155"] as const;

function readItem(item: SeaportItem, pick: "least" | "most"): Offered {
  const type = Number(item.itemType);
  const kind = itemKinds[type] ?? "erc20";
  const [start, end] = [BigInt(item.startAmount), BigInt(item.endAmount)];
  const isStart = pick === "least" ? start < end : start > end;
  return {
    kind,
    token: kind === "native" ? null : item.token,
    id: type === 2 || type === 3 ? item.identifierOrCriteria : null,
    amount: (isStart ? start : end).toString(),
  };
}

const isSomething = (item: Offered): boolean => BigInt(item.amount) >= (isItem(item) ? 1n : NEGLIGIBLE);

/** Contracts may keep an item for the one who gave it. Who the buyer is, is often not read. */
const keepsItems = (one: IntentCase, holder: Hex): boolean => {
  const view = one.viewParty(holder);
  return !isPerson(view) && view.kind !== "unread";
};

/**
 * Somebody else gets an item, or by an order a token without a price, and almost nothing comes for it: an offer was accepted
 * that is none. An item that goes into a contract may come back.
 */
export function judgeSold(one: IntentCase, flows: GroupFlows, doings: readonly DecodedCall[]): Notes {
  const isOrder = doings.some(({ meaning }) => meaning?.effect === "order");
  const isSold = flows.leaves.some(
    ({ asset, gainers }) =>
      (isItem(asset) && gainers.some((holder) => !keepsItems(one, holder))) ||
      (isOrder && asset.kind === "erc20"),
  );
  if (!isSold) return [];
  const toOffered = ({ asset, amount }: GroupFlows["leaves"][number]): Offered => ({
    ...asset,
    amount: amount.toString(),
  });
  const weight = weighOffer(one, flows.leaves.map(toOffered), flows.returns.map(toOffered));
  return weight === "ORDER_GIVES_AWAY" || weight === "PRICE_LOW" ? toNotes(weight) : [];
}
