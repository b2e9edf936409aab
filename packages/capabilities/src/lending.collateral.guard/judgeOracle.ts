import { USDC } from "../shared/chain-facts/knownContracts.js";
import { resolveImplementation } from "../shared/proxies/resolveImplementation.js";
import type { Note } from "../shared/verdict/note.js";
import { isZeroWord } from "../shared/words/addressInWord.js";
import { readLeadingWord } from "../shared/words/readLeadingWord.js";
import {
  explainPrice,
  type FeedFindings,
  type PriceExplanation,
  type VaultFindings,
} from "./explainPrice.js";
import type { LendingCase, MarketReadings } from "./lendingCase.js";
import { type MarketParams, ORACLE_FACTORY } from "./morphoLayout.js";
import { basePriceFeeds } from "./priceFeeds.js";

export type OracleCode =
  | "ORACLE_HAS_NO_CODE"
  | "ORACLE_GIVES_NO_PRICE"
  | "ORACLE_PRICE_ZERO"
  | "ORACLE_UNREAD"
  | "ORACLE_CODE_UNKNOWN"
  | "ORACLE_UPGRADEABLE"
  | "ORACLE_SOURCE_UNKNOWN"
  | "ORACLE_PART_UNREAD"
  | "ORACLE_PRICE_FIXED"
  | "ORACLE_PRICE_UNEXPLAINED"
  | "ORACLE_SCALE_UNUSUAL"
  | "ORACLE_FEED_UNKNOWN"
  | "ORACLE_FEED_STALE"
  | "FEED_PAIR_DIFFERS"
  | "ORACLE_PRICE_EXPLAINED"
  | "SLOT_UNREAD"
  | "PROXY_PROBE_UNREAD";

type Notes = Note<OracleCode>[];
type Oracle = MarketReadings["oracle"];

/** For a feed that is not known: aggregators are updated at least once a day. */
const USUAL_HEARTBEAT_SECONDS = 86_400;
/** A transaction that updates a feed may come late. */
const GRACE_SECONDS = 600;

export interface OracleFindings {
  readonly address: string;
  /** Units of the loan token for one unit of collateral, times 10^36. */
  readonly price: string | null;
  /** Whether Morpho's factory made it; null where that was not answered. */
  readonly isFactoryMade: boolean | null;
  readonly isUpgradeable: boolean | null;
  /** What the price is made of; null where the oracle does not state it. */
  readonly feeds: readonly FeedFindings[] | null;
  readonly vaults: readonly VaultFindings[] | null;
  /** What the parts make together. */
  readonly recomputedPrice: string | null;
}

interface OracleJudgement {
  readonly notes: Notes;
  readonly oracle: OracleFindings | null;
}

/** Whether there is a price, which code computes it, from which feeds of what age, and whether that code can be replaced. */
export function judgeOracle({ found, readings }: LendingCase): OracleJudgement {
  if (found === null) return { notes: [], oracle: null };
  const { oracle } = found.read;
  const price = readLeadingWord(oracle.price);
  const maker = noteMaker(oracle, readings.codes.oracleFactory);
  const upgrade = noteUpgrades(oracle);
  const sight = oracle.sight.status === "value" ? oracle.sight.value : null;
  const explanation = sight && explainPrice(sight, readings.block.timestamp);
  const known = explanation?.status === "explained" ? explanation : null;
  const isEmpty = oracle.code.status === "value" && oracle.code.value.form === "empty";
  return {
    notes: isEmpty
      ? [{ code: "ORACLE_HAS_NO_CODE" }]
      : [
          ...notePrice(oracle, price),
          ...maker.notes,
          ...upgrade.notes,
          ...(price ? noteSource(found.params, price, explanation) : []),
        ],
    oracle: {
      address: oracle.address,
      price: price?.toString() ?? null,
      isFactoryMade: maker.isFactoryMade,
      isUpgradeable: upgrade.isUpgradeable,
      feeds: known?.feeds ?? null,
      vaults: known?.vaults ?? null,
      recomputedPrice: known?.price.toString() ?? null,
    },
  };
}

function notePrice(oracle: Oracle, price: bigint | null): Notes {
  const notes: Notes = [];
  if (oracle.code.status !== "value")
    notes.push({ code: "ORACLE_UNREAD", limitation: "The oracle's code was not read: no node answered." });
  if (oracle.price.status === "unanswered")
    notes.push({ code: "ORACLE_UNREAD", limitation: "The oracle's price() was not read: no node answered." });
  else if (price === null) notes.push({ code: "ORACLE_GIVES_NO_PRICE" });
  else if (price === 0n) notes.push({ code: "ORACLE_PRICE_ZERO" });
  return notes;
}

/**
 * Getters that name honest feeds prove nothing about what price() does at another time or to another caller: only code that
 * is known does. The factory deploys one code and takes the feeds from anybody, so these are judged as well.
 */
function noteMaker(
  { isFactoryMade }: Oracle,
  factory: Oracle["code"],
): { readonly notes: Notes; readonly isFactoryMade: boolean | null } {
  const unknown = (why: string, answer: boolean | null) => {
    const limitation = `What the oracle's code does at other times or to other callers is not known: ${why}.`;
    return { notes: [{ code: "ORACLE_CODE_UNKNOWN", limitation } as const], isFactoryMade: answer };
  };
  if (factory.status !== "value") return unknown("the code of Morpho's oracle factory was not read", null);
  if (factory.value.form === "empty") return unknown(`there is no factory at ${ORACLE_FACTORY}`, null);
  if (isFactoryMade.status === "unanswered")
    return unknown("whether Morpho's factory made the oracle was not read", null);
  const answer = readLeadingWord(isFactoryMade);
  if (answer === null) return unknown("Morpho's factory gave no usable answer about it", null);
  if (answer !== 1n) return unknown(`the factory at ${ORACLE_FACTORY} did not make it`, false);
  return { notes: [], isFactoryMade: true };
}

function noteUpgrades({ code, slots, masterCopy }: Oracle): {
  readonly notes: Notes;
  readonly isUpgradeable: boolean | null;
} {
  const notes: Notes = [];
  const unread = Object.entries(slots).flatMap(([name, { status }]) => (status === "value" ? [] : [name]));
  if (unread.length > 0)
    notes.push({ code: "SLOT_UNREAD", limitation: `Slots of the oracle not read: ${unread.join(", ")}.` });
  if (masterCopy.status === "unanswered")
    notes.push({ code: "PROXY_PROBE_UNREAD", limitation: "masterCopy() of the oracle was not read." });
  const isSet = (name: keyof typeof slots) => {
    const word = slots[name];
    return word.status === "value" && !isZeroWord(word.value);
  };
  const resolution = resolveImplementation({ code, slots, masterCopy, beaconImplementation: null });
  const isBehind = resolution.status === "resolved" && resolution.kind !== "eip1167_clone";
  const isBeacon = resolution.status === "unread" && resolution.kind === "beacon";
  const isUpgradeable =
    isBehind || isBeacon || (["eip1967Admin", "zeppelinosAdmin", "diamondFacets"] as const).some(isSet);
  if (!isUpgradeable)
    return { notes, isUpgradeable: notes.length === 0 && code.status === "value" ? false : null };
  const limitation =
    "Who may replace the oracle's code decides every later price; contract.guard tells who that is.";
  return { notes: [...notes, { code: "ORACLE_UPGRADEABLE", limitation }], isUpgradeable };
}

function noteSource(params: MarketParams, price: bigint, explanation: PriceExplanation | null): Notes {
  if (explanation === null)
    return [{ code: "ORACLE_UNREAD", limitation: "What the oracle's price is made of was not read." }];
  if (explanation.status === "unknownForm") {
    const limitation =
      "The oracle does not name its feeds as Morpho's Chainlink oracle does, so how old its price is, and where it comes from, is not known.";
    return [{ code: "ORACLE_SOURCE_UNKNOWN", limitation }];
  }
  if (explanation.status === "unread") {
    const limitation = `Parts of the oracle's price that gave no usable answer: ${explanation.missing.join(", ")}.`;
    return [{ code: "ORACLE_PART_UNREAD", limitation }];
  }
  const { feeds, vaults, isScaleRight } = explanation;
  const notes: Notes = [];
  if (feeds.length + vaults.length === 0) notes.push({ code: "ORACLE_PRICE_FIXED" });
  if (explanation.price !== price) notes.push({ code: "ORACLE_PRICE_UNEXPLAINED" });
  if (!isScaleRight) notes.push({ code: "ORACLE_SCALE_UNUSUAL" });
  const unknown = [
    ...feeds.filter(({ pair }) => pair === null),
    // A vault that is the token itself is what the user already deals with.
    ...vaults.filter(({ address }) => address !== params.collateralToken && address !== params.loanToken),
  ];
  if (unknown.length > 0) {
    const list = unknown.map(({ name, address }) => `${name}, ${address}`).join("; ");
    notes.push({
      code: "ORACLE_FEED_UNKNOWN",
      limitation: `Who decides what these say is not known: ${list}.`,
    });
  }
  const stale = feeds.filter(isStale);
  if (stale.length > 0) {
    const list = stale.map(({ name, ageSeconds }) => `${name}, ${ageSeconds} s old`).join("; ");
    notes.push({ code: "ORACLE_FEED_STALE", limitation: `Feeds older than they may be: ${list}.` });
  }
  notes.push(...notePairs(params, feeds));
  return notes.length === 0 ? [{ code: "ORACLE_PRICE_EXPLAINED" }] : notes;
}

/**
 * Known feeds are of one token each, in dollars, so one of them prices one side of the market; a side without a feed is
 * taken for a dollar. A side with a feed that is not known is noted as that.
 */
function notePairs({ collateralToken, loanToken }: MarketParams, feeds: readonly FeedFindings[]): Notes {
  if (feeds.length === 0) return [];
  const sides = { BASE: ["collateral", collateralToken], QUOTE: ["loan", loanToken] } as const;
  const differing = Object.entries(sides).flatMap(([side, [what, token]]) => {
    const own = feeds.filter(({ name }) => name.startsWith(side));
    if (own.some(({ pair }) => pair === null)) return [];
    const priced = own.map(({ address }) => basePriceFeeds.get(address)?.token);
    const isPriced = priced.length === 0 ? token === USDC : priced.length === 1 && priced[0] === token;
    const as = own.map(({ pair }) => pair).join(" × ") || "one dollar";
    return isPriced ? [] : [`${what} token ${token} as ${as}`];
  });
  if (differing.length === 0) return [];
  const limitation = `Not known to be worth what the oracle prices it as: ${differing.join("; ")}.`;
  return [{ code: "FEED_PAIR_DIFFERS", limitation }];
}

function isStale({ address, ageSeconds }: FeedFindings): boolean {
  const heartbeat = basePriceFeeds.get(address)?.heartbeatSeconds ?? USUAL_HEARTBEAT_SECONDS;
  return ageSeconds < 0 || ageSeconds > heartbeat + GRACE_SECONDS;
}
