import { type Hex, readEtherPrice } from "@assay/protocol";
import { baseAddresses } from "../chain-facts/baseAddresses.js";
import { canonicalTokens, findCanonicalToken } from "../chain-facts/canonicalTokens.js";
import { decodeTokenLabel } from "../labels/decodeTokenLabel.js";
import { formatAmount, formatMicroUsd } from "./formatAmount.js";
import type { Found } from "./found.js";

export interface TokenName {
  readonly symbol: string;
  readonly decimals: number | undefined;
}

export interface TokenBook {
  /** The chain's own currency for null. A token that nobody named is called by its address. */
  name(token: Hex | null): TokenName;
  /** An amount with its token. */
  amount(amount: bigint, token: Hex | null): string;
  /** What it is worth in dollars: of coins that are redeemed for a dollar, and of ether where the answer read its price. */
  worth(amount: bigint, token: Hex | null): string | undefined;
  /** An amount with its token, and what it is worth where that is known. */
  priced(amount: bigint, token: Hex | null): string;
}

/** Micro-dollars are their smallest unit. */
const dollars: ReadonlySet<string> = new Set(
  [baseAddresses.usdc, baseAddresses.usdBc].map((address) => String(address).toLowerCase()),
);
const weth = String(baseAddresses.weth).toLowerCase();

/** Tokens whose decimals are beyond doubt. */
const decimalsOf: ReadonlyMap<string, number> = new Map(
  [
    [baseAddresses.usdc, 6],
    [baseAddresses.weth, 18],
    [baseAddresses.usdt, 6],
    [baseAddresses.usdBc, 6],
    [baseAddresses.dai, 18],
    [baseAddresses.eurc, 6],
    [baseAddresses.cbEth, 18],
    [baseAddresses.cbBtc, 8],
    [baseAddresses.wstEth, 18],
    [baseAddresses.aero, 18],
  ].map(([address, decimals]) => [String(address).toLowerCase(), Number(decimals)]),
);

/** How the tokens of an answer are called and counted, by what was read of them and by the few that are known for certain. */
export function openTokenBook(readings: Found): TokenBook {
  const read = new Map<string, TokenName>();
  for (const one of [...readings.at("tokens").list(), ...readings.at("run", "tokens").list()]) {
    const token = one.at("token").address();
    if (token === undefined) continue;
    const symbol = readSymbol(one.at("symbol", "value").text());
    const decimals = readDecimals(one.at("decimals", "value").text());
    if (symbol !== undefined) read.set(token.toLowerCase(), { symbol, decimals });
  }
  const name = (token: Hex | null): TokenName => {
    if (token === null) return { symbol: "ETH", decimals: 18 };
    const key = token.toLowerCase();
    const known = findCanonicalToken(token);
    if (known) return { symbol: known.symbol, decimals: decimalsOf.get(key) };
    return read.get(key) ?? { symbol: token, decimals: undefined };
  };
  const etherPrice = findEtherPrice(readings);
  const tell = (amount: bigint, token: Hex | null) => {
    const { symbol, decimals } = name(token);
    const units = decimals === undefined ? "units of " : "";
    return `${formatAmount(amount, decimals)} ${units}${symbol}`;
  };
  const worth = (amount: bigint, token: Hex | null) => {
    if (token !== null && dollars.has(token.toLowerCase())) return formatMicroUsd(amount);
    if (etherPrice === undefined || (token !== null && token.toLowerCase() !== weth)) return undefined;
    return formatMicroUsd((amount * etherPrice) / 10n ** 20n);
  };
  return {
    name,
    worth,
    amount: tell,
    priced(amount, token) {
      const usd = worth(amount, token);
      return `${tell(amount, token)}${usd === undefined ? "" : ` (${usd})`}`;
    },
  };
}

/** Dollars per ether with eight decimals, by the feed that the answer read. */
function findEtherPrice(readings: Found): bigint | undefined {
  const answer = readings.at("etherPrice", "value").text();
  const seconds = readings.at("block", "timestamp").whole();
  if (answer === undefined || seconds === undefined || !/^0x[0-9a-f]+$/.test(answer)) return undefined;
  return readEtherPrice(answer as Hex, Number(seconds));
}

function readSymbol(bytes: string | undefined): string | undefined {
  if (bytes === undefined || !/^0x[0-9a-f]*$/.test(bytes)) return undefined;
  if (bytes.length % 2 !== 0) return undefined;
  const label = decodeTokenLabel(bytes as Hex);
  if (label.form === null || !/^[\w.$₮-]{1,16}$/.test(label.text)) return undefined;
  // Another token has this name, and everybody knows that one.
  const isTaken = canonicalTokens.some(({ symbol }) => symbol.toLowerCase() === label.text.toLowerCase());
  return isTaken ? undefined : label.text;
}

function readDecimals(bytes: string | undefined): number | undefined {
  if (bytes === undefined || !/^0x[0-9a-f]{64}$/.test(bytes)) return undefined;
  const decimals = BigInt(bytes);
  return decimals <= 77n ? Number(decimals) : undefined;
}
