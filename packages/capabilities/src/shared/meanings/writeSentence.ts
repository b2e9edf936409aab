import { formatUnits, type Hex, isHex } from "viem";
import type { KnownParty } from "../parties/knownParty.js";
import type { Path } from "./meaning.js";

export interface TokenFacts {
  readonly symbol: string;
  readonly decimals: number;
}
/** What is known of a token: its symbol is only what somebody calls it. */
export type TokenLookup = (address: Hex) => TokenFacts | undefined;

interface Teller {
  readonly read: (path: Path) => unknown;
  readonly party?: KnownParty | undefined;
  readonly from?: Hex | undefined;
  readonly to?: Hex | undefined;
  readonly tokens?: TokenLookup | undefined;
  /** Names of other parties, where they are known. */
  readonly name?: ((address: Hex) => string | undefined) | undefined;
}

/** Nobody holds this many units, and the largest values of smaller types stand for no limit too. */
const isUnlimited = (units: bigint) =>
  units >= 2n ** 255n || [96n, 128n, 160n].some((bits) => units === 2n ** bits - 1n);
const MAX_TEXT = 40;
/** Addresses that stand for ether: those of aggregators, and the one of Base's bridge. */
const ETHER_MARKS = [
  "0x0000000000000000000000000000000000000000",
  `0x${"e".repeat(40)}`,
  "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000",
];

/**
 * Fills the holes of a sentence. Formats: `tokens <path>` an amount of the token at that path, `ether`, `party` a name
 * if the address is known here, `account`, `date`, `span` of seconds, `count` of items, `percent` of 10,000, `text`,
 * `number` and `if <text>/<text>` for a flag. Without one, the value is written as it is.
 */
export function writeSentence(template: string, teller: Teller): string {
  const filled = template.replaceAll(
    /\{([^{}|]+)(?:\|([^{}]+))?\}/g,
    (_hole, path: string, format = "text") => writeValue(teller.read(path), format, teller),
  );
  return smooth(filled);
}

/** Grammar that no template can know: what is yours, and one of a kind. Quoted texts stay as they are. */
function smooth(sentence: string): string {
  return sentence
    .split(/("[^"]*")/)
    .map((part) =>
      part.startsWith('"')
        ? part
        : part
            .replaceAll(/\b(?:the|a) (\w+) of you\b/g, "your $1")
            .replaceAll(/ of you\b/g, " of yours")
            .replaceAll(/\bthe (account|Safe) you\b/g, "your $1")
            .replaceAll(/\bthe (account|Safe) the contract\b/g, "the $1")
            .replaceAll(/(^| )1 ([a-z ]*?[a-rt-z])s\b/g, "$11 $2"),
    )
    .join("");
}

function writeValue(value: unknown, format: string, teller: Teller): string {
  const [kind = "text", ...rest] = format.split(" ");
  const detail = rest.join(" ");
  if (value === undefined) return kind === "party" ? "this contract" : "an unknown value";
  if (kind === "tokens") return writeTokens(value, teller.read(detail), teller);
  if (kind === "ether") return writeEther(value);
  if (kind === "account" || kind === "party") return writeAccount(value, teller);
  if (kind === "token") return nameToken(value, teller);
  if (kind === "date") return writeDate(value);
  if (kind === "span") return writeSpan(value);
  if (kind === "percent") return `${Number(value) / 100} %`;
  if (kind === "count") return Array.isArray(value) ? String(value.length) : "an unknown number of";
  if (kind === "if") return detail.split("/")[value ? 0 : 1] ?? "";
  return writeText(value);
}

function writeTokens(amount: unknown, token: unknown, teller: Teller): string {
  if (typeof amount !== "bigint" && typeof amount !== "number") return `some ${nameToken(token, teller)}`;
  const units = BigInt(amount);
  if (isUnlimited(units)) return `an unlimited amount of ${nameToken(token, teller)}`;
  if (typeof token === "string" && ETHER_MARKS.includes(token.toLowerCase())) return writeEther(units);
  const facts = typeof token === "string" ? teller.tokens?.(token as Hex) : undefined;
  if (facts) return `${formatUnits(units, facts.decimals)} ${facts.symbol}`;
  return `${units} units of ${nameToken(token, teller)}`;
}

function nameToken(token: unknown, teller: Teller): string {
  if (typeof token !== "string") return "a token that is not named";
  if (ETHER_MARKS.includes(token.toLowerCase())) return "ether";
  return teller.tokens?.(token as Hex)?.symbol ?? `the token ${token.toLowerCase()}`;
}

const writeEther = (wei: unknown): string =>
  typeof wei !== "bigint"
    ? "some ether"
    : isUnlimited(wei)
      ? "an unlimited amount of ether"
      : `${formatUnits(wei, 18)} ETH`;

function writeAccount(value: unknown, { from, to, party, name }: Teller): string {
  if (typeof value !== "string") return writeText(value);
  const address = value.toLowerCase();
  if (address === from?.toLowerCase()) return "you";
  if (party !== undefined && address === party.address) return party.name;
  const known = name?.(address as Hex);
  if (known !== undefined) return `${known} (${address})`;
  return address === to?.toLowerCase() ? `the contract ${address}` : address;
}

/** A moment in seconds since 1970; far ones are no dates. */
function writeDate(value: unknown): string {
  const seconds = BigInt(value as bigint | number);
  if (seconds === 0n) return "no date";
  if (seconds > 253_402_300_799n) return "the end of time";
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function writeSpan(value: unknown): string {
  const seconds = BigInt(value as bigint | number);
  const [size, unit] =
    seconds >= 86_400n ? [86_400n, "days"] : seconds >= 3600n ? [3600n, "hours"] : [1n, "seconds"];
  return `${seconds / size} ${unit}`;
}

/**
 * Long values are cut: a sentence is for people, the arguments hold the whole. Texts are somebody's words and stand in
 * quotes, without characters that could end the quote or hide something.
 */
function writeText(value: unknown): string {
  if (Array.isArray(value))
    return `${value.slice(0, 3).map(writeText).join(", ")}${value.length > 3 ? " …" : ""}`;
  if (value !== null && typeof value === "object") return Object.values(value).map(writeText).join(", ");
  const text = String(value);
  if (typeof value !== "string" || isHex(text)) return text.length > 80 ? `${text.slice(0, 66)}…` : text;
  const shown = text.slice(0, MAX_TEXT).replaceAll(/[^\p{L}\p{N} .,:;_\-+/$#@!?'()&%]/gu, "?");
  return `"${shown}${text.length > MAX_TEXT ? "…" : ""}"`;
}
