import type { CallRead } from "@assay/chain";
import type { Hex, Reading } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import { actThrough, callLaunchProbe, launchProbe, TRADER_BALANCE } from "../../pools/gather/findPools.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { LaunchReadings } from "../launchReadings.js";
import type { RoundTrip, Rush, SalesInParts } from "../tradeReadings.js";
import { decodeLegs, encodeMarket, lendQuote, type Market, replaceCode, SHARES_PPM } from "./launchProbe.js";

const { abi } = launchProbe;

/** Sizes of the crowd, in millionths of the pool. */
const CROWD_SHARES_PPM = [
  10, 30, 100, 300, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 50, 500,
] as const;
const CROWD = 24;
/** What others buy first: until the pool has sold more than half of its tokens, where no limit keeps the larger ones away. */
const RUSH_SHARES_PPM = [200_000, 50_000, 20_000, 1_000] as const;
/** What they buy at last: until it has sold nine tenths. */
const LAST_SHARES_PPM = [1_500_000, 1_500_000, 20_000, 1_500_000] as const;
const PARTS = 12;

/** Accounts that trade in transactions of their own, for programs that look at the origin. */
export const nameOrigins = (sender: Hex): Hex[] => nameSellers(sender).slice(0, 8);

/** Fresh accounts that begin and end with every digit, because some tokens choose whom they refuse by a part of the address. */
const nameSellers = (sender: Hex): Hex[] =>
  Array.from({ length: CROWD }, (_, index): Hex => {
    const middle = keccak256(`${sender}${index.toString(16).padStart(2, "0")}`).slice(-39, -1);
    return `0x${(index % 16).toString(16)}${middle}${((index * 7 + 3) % 16).toString(16)}`;
  });
const crowdShare = (index: number): number => CROWD_SHARES_PPM[index % CROWD_SHARES_PPM.length] as number;

/** Many accounts buy and sell again, each a size of its own. */
export function readCrowd(market: Market, sender: Hex, wait = 0): CallRead {
  const sellers = nameSellers(sender);
  const others = {
    ...replaceCode(market),
    ...lendQuote(market, [sender, ...sellers]),
    ...Object.fromEntries(
      sellers.map((seller) => [seller, { code: actThrough(sender), balance: TRADER_BALANCE }]),
    ),
  };
  const args = [
    encodeMarket(market),
    sellers,
    sellers.map((_, index) => BigInt(crowdShare(index))),
    BigInt(wait),
    BigInt(PARTS),
  ];
  return callLaunchProbe(sender, "crowd", args, others);
}

export function parseCrowd(sender: Hex, answer: Reading<Hex>): Reading<RoundTrip[]> {
  return parseProbeAnswer(answer, (data) => {
    const runs = decodeFunctionResult({ abi, functionName: "crowd", data }) as readonly Hex[];
    return nameSellers(sender).map((seller, index) => {
      const run = runs[index] ?? "0x";
      return { sender: seller, sharePpm: crowdShare(index), legs: run === "0x" ? null : decodeLegs(run) };
    });
  });
}

const rushShare = (index: number): number => {
  const shares = index < (CROWD * 2) / 3 ? RUSH_SHARES_PPM : LAST_SHARES_PPM;
  return shares[index % shares.length] as number;
};

/** A purchase, many of others, and the sale. */
export function readRush(market: Market, sender: Hex, wait = 0): CallRead {
  const others = nameSellers(sender);
  const overrides = {
    ...replaceCode(market),
    ...lendQuote(market, [sender, ...others]),
    ...Object.fromEntries(
      others.map((other) => [other, { code: actThrough(sender), balance: TRADER_BALANCE }]),
    ),
  };
  const shares = others.map((_, index) => BigInt(rushShare(index)));
  const args = [encodeMarket(market), BigInt(SHARES_PPM[0]), others, shares, BigInt(wait)];
  return callLaunchProbe(sender, "rush", args, overrides);
}

export function parseRush(sender: Hex, answer: Reading<Hex>): Reading<Rush> {
  return parseProbeAnswer(answer, (data) => {
    const run = decodeFunctionResult({ abi, functionName: "rush", data }) as Hex;
    return { sender, sharePpm: SHARES_PPM[0], legs: run === "0x" ? null : decodeLegs(run) };
  });
}

/**
 * Seconds, and blocks, between the purchase and a sale: none, the next block, a minute, an hour, a day, a month, a year, ten
 * years.
 */
const WAITS = [0, 1, 60, 3_600, 86_400, 2_592_000, 31_536_000, 315_360_000] as const;

export function readLater(market: Market, sender: Hex): CallRead {
  const others = { ...replaceCode(market), ...lendQuote(market, [sender]) };
  const args = [encodeMarket(market), BigInt(SHARES_PPM[0]), WAITS.map(BigInt)];
  return callLaunchProbe(sender, "later", args, others);
}

export function parseLater(answer: Reading<Hex>): LaunchReadings["later"] {
  return parseProbeAnswer(answer, (data) => {
    const run = decodeFunctionResult({ abi, functionName: "later", data }) as Hex;
    const [bought, ...sales] = decodeLegs(run);
    if (!bought) throw new RangeError("the probe reports no purchase");
    return { bought, sales: sales.map((sale, index) => ({ wait: WAITS[index] ?? 0, sale })) };
  });
}

/** Of a crowd's answer, the purchase and the sale of it in many parts. */
export function parseParts(answer: Reading<Hex>): Reading<SalesInParts> {
  return parseProbeAnswer(answer, (data) => {
    const runs = decodeFunctionResult({ abi, functionName: "crowd", data }) as readonly Hex[];
    const run = runs[CROWD] ?? "0x";
    return { legs: run === "0x" ? null : decodeLegs(run) };
  });
}
