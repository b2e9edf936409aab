import type { ListedAsset, MarketHours } from "../shared/issuers/listedAsset.js";
import type { Note } from "../shared/verdict/note.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import type { RwaMarketReadings } from "./readings.js";

export type FeedCode =
  | "NO_FEED_LISTED"
  | "FEED_FRESH"
  | "FEED_STALE"
  | "FEED_PRICE_INVALID"
  | "FEED_ROUND_INCOMPLETE"
  | "FEED_UNREADABLE"
  | "FEED_UNREAD"
  | "SEQUENCER_UP"
  | "SEQUENCER_DOWN"
  | "SEQUENCER_JUST_UP"
  | "SEQUENCER_UNREADABLE"
  | "SEQUENCER_UNREAD"
  | "MARKET_OPEN"
  | "MARKET_CLOSED";
type Notes = Note<FeedCode>[];
type Answer = RwaMarketReadings["cap"];

/** Chainlink's feed that reports whether Base's sequencer is up. */
export const BASE_SEQUENCER_FEED = "0xbcf85224fc0756b9fa45aa7892530b47e10b6433";
/** For this long after the sequencer is up again, users may not have been able to react yet. */
const SEQUENCER_GRACE_SECONDS = 3_600n;
/** With more decimals no price can be written for people. */
const MAX_DECIMALS = 36n;
/** Five words; a sixth is kept to show that there was more. */
export const ROUND_ANSWER_BYTES = 192;

interface FeedFindings {
  readonly feed: {
    readonly address: string;
    /** In units of 10^-decimals; null where there is no usable answer. */
    readonly answer: string | null;
    readonly decimals: number | null;
    readonly updatedAt: string | null;
    readonly ageSeconds: string | null;
    readonly maxAgeSeconds: number;
  } | null;
  readonly sequencer: { readonly address: string; readonly upForSeconds: string | null } | null;
  readonly isMarketOpen: boolean | null;
}

/** Judges price and sequencer where a feed is listed for the asset, and the market's hours where those are listed. */
export function judgeFeed(
  { block, feed }: RwaMarketReadings,
  listed: ListedAsset | null,
): { notes: Notes; findings: FeedFindings } {
  const now = BigInt(block.timestamp);
  const isMarketOpen = listed?.marketHours ? isOpen(listed.marketHours, block.timestamp) : null;
  const hours: Notes = isMarketOpen === null ? [] : [isMarketOpen ? { code: "MARKET_OPEN" } : noteClosed];
  if (!listed?.feed) {
    const limitation = "No price was read: the operator's list names no feed for this address.";
    return {
      // No feed is expected of an address that is not listed.
      notes: [...(listed === null ? [] : [{ code: "NO_FEED_LISTED", limitation } as const]), ...hours],
      findings: { feed: null, sequencer: null, isMarketOpen },
    };
  }
  const { address, maxAgeSeconds } = listed.feed;
  const price = judgePrice(feed?.latestRound ?? UNASKED, feed?.decimals ?? UNASKED, maxAgeSeconds, now);
  const sequencer = judgeSequencer(feed?.sequencerRound ?? UNASKED, now);
  return {
    notes: [...price.notes, ...sequencer.notes, ...hours],
    findings: {
      feed: { address, ...price.found, maxAgeSeconds },
      sequencer: { address: BASE_SEQUENCER_FEED, upForSeconds: sequencer.upForSeconds },
      isMarketOpen,
    },
  };
}

const UNASKED: Answer = { status: "unanswered", reason: "not_asked" };

const noteClosed: Note<FeedCode> = {
  code: "MARKET_CLOSED",
  limitation: "The listed hours know no holidays.",
};

interface Round {
  readonly id: bigint;
  readonly answer: bigint;
  readonly startedAt: bigint;
  readonly updatedAt: bigint;
  readonly answeredIn: bigint;
}

/** The five words of `latestRoundData()`; null for anything else. */
function readRound(answer: Answer): Round | null {
  if (answer.status !== "value" || answer.value.length !== 2 + 5 * 64) return null;
  const [id, raw, startedAt, updatedAt, answeredIn] = [0, 1, 2, 3, 4].map((index) =>
    BigInt(`0x${answer.value.slice(2 + index * 64, 2 + (index + 1) * 64)}`),
  ) as [bigint, bigint, bigint, bigint, bigint];
  return { id, answer: BigInt.asIntN(256, raw), startedAt, updatedAt, answeredIn };
}

const NOTHING = { answer: null, decimals: null, updatedAt: null, ageSeconds: null };

function judgePrice(latestRound: Answer, decimals: Answer, maxAgeSeconds: number, now: bigint) {
  const only = (code: FeedCode, limitation: string) => ({
    notes: [{ code, limitation }] as Notes,
    found: NOTHING,
  });
  if (latestRound.status === "unanswered" || decimals.status === "unanswered")
    return only("FEED_UNREAD", "The price feed was not read: no node answered.");
  const round = readRound(latestRound);
  const places = readOneWord(decimals);
  if (round === null || places === null || places > MAX_DECIMALS)
    return only(
      "FEED_UNREADABLE",
      "latestRoundData() or decimals() of the feed refused or answered otherwise.",
    );
  if (round.updatedAt > now)
    return only("FEED_UNREADABLE", "The feed states a time after the block's own for its newest answer.");
  const age = now - round.updatedAt;
  const notes: Notes = [];
  if (round.updatedAt === 0n || round.answeredIn < round.id) notes.push({ code: "FEED_ROUND_INCOMPLETE" });
  if (round.answer <= 0n) notes.push({ code: "FEED_PRICE_INVALID" });
  if (age > BigInt(maxAgeSeconds)) notes.push({ code: "FEED_STALE" });
  return {
    notes: notes.length > 0 ? notes : ([{ code: "FEED_FRESH" }] as Notes),
    found: {
      answer: round.answer.toString(),
      decimals: Number(places),
      updatedAt: round.updatedAt.toString(),
      ageSeconds: age.toString(),
    },
  };
}

/** 0 means up and 1 down, since `startedAt`; a feed that has no round yet states zero there. */
function judgeSequencer(answer: Answer, now: bigint): { notes: Notes; upForSeconds: string | null } {
  if (answer.status === "unanswered") {
    const limitation = "The sequencer's feed was not read: no node answered.";
    return { notes: [{ code: "SEQUENCER_UNREAD", limitation }], upForSeconds: null };
  }
  const round = readRound(answer);
  const isState = round?.answer === 0n || round?.answer === 1n;
  if (round === null || !isState || round.startedAt === 0n || round.startedAt > now) {
    const limitation = "The sequencer's feed refused, or answered with no state and the time it began.";
    return { notes: [{ code: "SEQUENCER_UNREADABLE", limitation }], upForSeconds: null };
  }
  if (round.answer === 1n) return { notes: [{ code: "SEQUENCER_DOWN" }], upForSeconds: null };
  const upFor = now - round.startedAt;
  const code = upFor > SEQUENCER_GRACE_SECONDS ? "SEQUENCER_UP" : "SEQUENCER_JUST_UP";
  return { notes: [{ code }], upForSeconds: upFor.toString() };
}

/** The market is closed from the closing minute on. */
function isOpen({ days, opens, closes }: MarketHours, timestamp: number): boolean {
  const time = new Date(timestamp * 1000);
  const minute = time.toISOString().slice(11, 16);
  // Sunday is 0 to JavaScript and 7 to ISO 8601.
  return days.includes(time.getUTCDay() || 7) && minute >= opens && minute < closes;
}
