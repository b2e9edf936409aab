import { basePriceFeeds } from "./priceFeeds.js";
import type { OracleParts } from "./readings.js";

/** Getters of Morpho's Chainlink oracle, version 2; base is the collateral, quote the loan. */
export const oracleFeeds = ["BASE_FEED_1", "BASE_FEED_2", "QUOTE_FEED_1", "QUOTE_FEED_2"] as const;
export const oracleVaults = ["BASE_VAULT", "QUOTE_VAULT"] as const;

export interface FeedFindings {
  readonly name: (typeof oracleFeeds)[number];
  readonly address: `0x${string}`;
  /** Null for a feed that is not known. */
  readonly pair: string | null;
  /** As the feed states it, with its own number of places. */
  readonly answer: string;
  readonly decimals: number;
  readonly ageSeconds: number;
}

export interface VaultFindings {
  readonly name: (typeof oracleVaults)[number];
  readonly address: `0x${string}`;
}

export type PriceExplanation =
  /** The oracle does not have these getters, so it is not known what its price is made of. */
  | { readonly status: "unknownForm" }
  /** A part that the oracle names gave no usable answer. */
  | { readonly status: "unread"; readonly missing: readonly string[] }
  | {
      readonly status: "explained";
      /** What the parts make together. */
      readonly price: bigint;
      /** Whether the scale is what the places of tokens and feeds ask for. */
      readonly isScaleRight: boolean;
      readonly feeds: readonly FeedFindings[];
      readonly vaults: readonly VaultFindings[];
    };

/** More places than any token or feed has; a larger power would only cost time. */
const MAX_DECIMALS = 77n;
const SCALE_PLACES = 36n;

/** Recomputes an oracle's price from its parts: scale × vault × feeds of the base ÷ (vault × feeds of the quote). */
export function explainPrice(parts: OracleParts, timestamp: number): PriceExplanation {
  const { scaleFactor, vaults, feeds } = parts;
  const isKnownForm =
    scaleFactor !== null &&
    feeds.every(({ feed }) => isAddress(feed)) &&
    vaults.every(({ vault, sample }) => isAddress(vault) && sample !== null);
  if (!isKnownForm) return { status: "unknownForm" };
  const missing = listMissing(parts);
  if (missing.length > 0) return { status: "unread", missing };
  const numbers = (list: readonly (string | null)[]) => list.map((value) => BigInt(value ?? "0"));
  // An absent feed or vault counts as one.
  const answers = numbers(feeds.map(({ feed, answer }) => (isSet(feed) ? answer : "1")));
  const assets = numbers(vaults.map(({ vault, assets }) => (isSet(vault) ? assets : "1")));
  const [base1 = 1n, base2 = 1n, quote1 = 1n, quote2 = 1n] = answers;
  const [baseVault = 1n, quoteVault = 1n] = assets;
  const divisor = quoteVault * quote1 * quote2;
  if (divisor === 0n) return { status: "unread", missing: ["a price of the loan token above zero"] };
  return {
    status: "explained",
    price: (BigInt(scaleFactor) * baseVault * base1 * base2) / divisor,
    isScaleRight: BigInt(scaleFactor) === expectedScale(parts),
    feeds: feeds.flatMap(({ feed, answer, decimals, updatedAt }, index) =>
      isSet(feed) ? [describeFeed(index, { feed, answer, decimals, updatedAt }, timestamp)] : [],
    ),
    vaults: oracleVaults.flatMap((name, index) => {
      const vault = vaults[index]?.vault ?? null;
      return isSet(vault) ? [{ name, address: addressOf(vault) }] : [];
    }),
  };
}

const isAddress = (word: string | null): boolean => word !== null && BigInt(word) >> 160n === 0n;
const isSet = (word: string | null): boolean => word !== null && word !== "0";
/** A price below zero is written with the highest bit. */
const isPositive = (word: string | null): boolean =>
  word !== null && BigInt(word) > 0n && BigInt(word) >> 255n === 0n;
const isPlaces = (word: string | null): boolean => word !== null && BigInt(word) <= MAX_DECIMALS;

function listMissing({ feeds, vaults, tokenDecimals }: OracleParts): string[] {
  const missing = feeds.flatMap(({ feed, answer, decimals, updatedAt }, index) =>
    isSet(feed) && !(isPositive(answer) && isPlaces(decimals) && updatedAt !== null)
      ? [`${oracleFeeds[index]} at ${addressOf(feed)}`]
      : [],
  );
  vaults.forEach(({ vault, sample, assets, assetDecimals }, index) => {
    const isRead = isPositive(sample) && isPositive(assets) && isPlaces(assetDecimals);
    if (isSet(vault) && !isRead) missing.push(`${oracleVaults[index]} at ${addressOf(vault)}`);
  });
  const [base, quote] = placesOfTokens({ vaults, tokenDecimals });
  if (!isPlaces(base)) missing.push("decimals() of the collateral token");
  if (!isPlaces(quote)) missing.push("decimals() of the loan token");
  return missing;
}

/** A vault is priced by the asset in it. */
function placesOfTokens({ vaults, tokenDecimals }: Pick<OracleParts, "vaults" | "tokenDecimals">) {
  const { collateralToken, loanToken } = tokenDecimals;
  return [collateralToken, loanToken].map((own, index) => {
    const vault = vaults[index];
    return vault && isSet(vault.vault) ? vault.assetDecimals : own;
  }) as [string | null, string | null];
}

/** Morpho wants 36 places more than the loan token has over the collateral token; null where no scale can give them. */
function expectedScale(parts: OracleParts): bigint | null {
  const [base, quote] = placesOfTokens(parts).map((word) => BigInt(word ?? "0")) as [bigint, bigint];
  const [feed1 = 0n, feed2 = 0n, feed3 = 0n, feed4 = 0n] = parts.feeds.map(({ feed, decimals }) =>
    isSet(feed) ? BigInt(decimals ?? "0") : 0n,
  );
  const places = SCALE_PLACES + quote + feed3 + feed4 - base - feed1 - feed2;
  if (places < 0n) return null;
  const [baseSample, quoteSample] = parts.vaults.map(({ sample }) => BigInt(sample ?? "1")) as [
    bigint,
    bigint,
  ];
  return baseSample === 0n ? null : (10n ** places * quoteSample) / baseSample;
}

function addressOf(word: string | null): `0x${string}` {
  return `0x${BigInt(word ?? "0")
    .toString(16)
    .padStart(40, "0")}`;
}

function describeFeed(
  index: number,
  { feed, answer, decimals, updatedAt }: OracleParts["feeds"][number],
  timestamp: number,
): FeedFindings {
  const address = addressOf(feed);
  return {
    name: oracleFeeds[index] as FeedFindings["name"],
    address,
    pair: basePriceFeeds.get(address)?.pair ?? null,
    answer: answer ?? "0",
    decimals: Number(decimals),
    ageSeconds: clampToSafe(BigInt(timestamp) - BigInt(updatedAt ?? "0")),
  };
}

/** A feed may state any time; beyond what a number holds exactly it is merely very far off. */
function clampToSafe(value: bigint): number {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(value > most ? most : value < -most ? -most : value);
}
