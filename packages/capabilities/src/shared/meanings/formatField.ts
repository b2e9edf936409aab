import { formatUnits, getAddress, type Hex, hexToBigInt, isHex, size, slice } from "viem";
import type { DescribedField } from "./readDescriptor.js";
import type { TokenFacts } from "./writeSentence.js";

/** The transaction that holds the calldata. */
export interface CallFacts {
  readonly to: Hex;
  readonly from?: Hex | undefined;
  /** Wei. */
  readonly value?: bigint | undefined;
  readonly chainId: number;
}

/** What is known outside of the calldata. */
export interface DescriptorLookups {
  readonly token?: (address: Hex) => TokenFacts | undefined;
  readonly name?: (address: Hex) => string | undefined;
  readonly collection?: (address: Hex) => string | undefined;
  /** The name of the chain's own coin; ETH unless said otherwise. */
  readonly coin?: string;
  /** What an embedded call does. */
  readonly describeInner?: (callee: Hex, data: Hex) => string | undefined;
}

type Read = (path: string) => unknown;

/** The text of a field; undefined when a part of it cannot be known, so that nothing is made up. */
export function formatField(
  field: DescribedField,
  value: unknown,
  type: string,
  read: Read,
  lookups: DescriptorLookups,
): string | undefined {
  const { format, params } = field;
  if (format === "amount") return formatCoin(toInteger(value), lookups);
  if (format === "tokenAmount") return formatTokens(toInteger(value), params, read, lookups);
  if (format === "addressName") return formatAddress(value, params, lookups);
  if (format === "nftName") return formatItem(value, params, read, lookups);
  if (format === "date") return formatDate(toInteger(value), params);
  if (format === "duration") return formatDuration(toInteger(value));
  if (format === "unit") return formatUnit(toInteger(value), params);
  if (format === "enum") return formatEnum(value, params);
  if (format === "calldata") return formatInner(value, params, read, lookups);
  return formatRaw(value, type);
}

/** Slices of bytes count as numbers where a number is asked for. */
function toInteger(value: unknown): bigint | undefined {
  if (typeof value === "bigint" || typeof value === "number") return BigInt(value);
  return isHex(value) && value !== "0x" ? hexToBigInt(value) : undefined;
}

/** An address in the last twenty bytes of a word, where calldata packs one. */
function toAddress(value: unknown): Hex | undefined {
  if (typeof value === "bigint") return value < 2n ** 160n ? toPadded(value) : undefined;
  if (!isHex(value) || size(value) < 20) return undefined;
  return size(value) === 20 ? value : slice(value, size(value) - 20);
}
const toPadded = (value: bigint): Hex => `0x${value.toString(16).padStart(40, "0")}`;

const formatCoin = (wei: bigint | undefined, { coin = "ETH" }: DescriptorLookups) =>
  wei === undefined ? undefined : `${formatUnits(wei, 18)} ${coin}`;

function formatTokens(
  amount: bigint | undefined,
  params: DescribedField["params"],
  read: Read,
  lookups: DescriptorLookups,
): string | undefined {
  if (amount === undefined) return undefined;
  const token = toAddress(typeof params.tokenPath === "string" ? read(params.tokenPath) : params.token);
  const isOwnCoin = isCoin(token, params.nativeCurrencyAddress);
  const facts = token === undefined ? undefined : lookups.token?.(token);
  const symbol = isOwnCoin ? (lookups.coin ?? "ETH") : facts?.symbol;
  const threshold = typeof params.threshold === "string" ? toInteger(params.threshold) : undefined;
  if (threshold !== undefined && amount >= threshold && symbol !== undefined)
    return `${params.message ?? "Unlimited"} ${symbol}`;
  if (isOwnCoin) return formatCoin(amount, lookups);
  // Units of a token that nobody knows are only a number.
  return facts === undefined ? String(amount) : `${formatUnits(amount, facts.decimals)} ${facts.symbol}`;
}

function isCoin(token: Hex | undefined, marks: unknown): boolean {
  const all = (Array.isArray(marks) ? marks : [marks]).filter((mark) => typeof mark === "string");
  return token !== undefined && all.some((mark) => mark.toLowerCase() === token.toLowerCase());
}

function formatAddress(
  value: unknown,
  params: DescribedField["params"],
  lookups: DescriptorLookups,
): string | undefined {
  const found = toAddress(value);
  if (found === undefined) return undefined;
  const senders = Array.isArray(params.senderAddress) ? params.senderAddress : [params.senderAddress];
  const isSender = senders.some(
    (one) => typeof one === "string" && one.toLowerCase() === found.toLowerCase(),
  );
  if (isSender) return "Sender";
  return lookups.name?.(found) ?? getAddress(found);
}

function formatItem(
  value: unknown,
  params: DescribedField["params"],
  read: Read,
  { collection }: DescriptorLookups,
): string | undefined {
  const id = toInteger(value);
  const address = toAddress(
    typeof params.collectionPath === "string" ? read(params.collectionPath) : params.collection,
  );
  if (id === undefined || address === undefined) return undefined;
  return `${collection?.(address) ?? getAddress(address)} #${id}`;
}

/** Seconds since 1970, or a block whose time nobody knows here. */
function formatDate(value: bigint | undefined, params: DescribedField["params"]): string | undefined {
  if (value === undefined) return undefined;
  if (params.encoding === "blockheight") return `Block ${value}`;
  const time = new Date(Number(value) * 1000);
  // Dates end in the year 275760; what is later is only a number.
  return Number.isNaN(time.getTime())
    ? String(value)
    : time.toISOString().replace("T", " ").replace(".000", "");
}

function formatDuration(seconds: bigint | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  const two = (part: bigint) => String(part).padStart(2, "0");
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`;
}

const prefixes = ["", "k", "M", "G", "T", "P", "E"];

function formatUnit(value: bigint | undefined, params: DescribedField["params"]): string | undefined {
  if (value === undefined || typeof params.base !== "string") return undefined;
  const text = formatUnits(value, typeof params.decimals === "number" ? params.decimals : 0);
  if (params.prefix !== true) return `${text}${params.base}`;
  const power = Math.min(
    prefixes.length - 1,
    Math.max(0, (Math.floor((text.split(".")[0]?.length ?? 1) - 1) / 3) | 0),
  );
  return `${Number(text) / 1000 ** power}${prefixes[power]}${params.base}`;
}

/** A value that the list does not name is not known. Lists name a flag by its word or by its number. */
function formatEnum(value: unknown, params: DescribedField["params"]): string | undefined {
  const names = params.$ref;
  if (names === null || typeof names !== "object") return undefined;
  const keys =
    typeof value === "boolean" ? [String(value), String(Number(value))] : [String(toInteger(value) ?? value)];
  const isFlag = typeof value === "boolean";
  const key = Object.keys(names).find((one) => keys.includes(isFlag ? one.toLowerCase() : one));
  return key === undefined ? undefined : String((names as Record<string, unknown>)[key]);
}

function formatInner(
  value: unknown,
  params: DescribedField["params"],
  read: Read,
  { describeInner }: DescriptorLookups,
): string | undefined {
  const callee = toAddress(typeof params.calleePath === "string" ? read(params.calleePath) : params.callee);
  if (!isHex(value) || callee === undefined) return undefined;
  return describeInner?.(callee, value) ?? value;
}

function formatRaw(value: unknown, type: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (type === "address" && isHex(value)) return getAddress(value);
  if (typeof value === "object") return undefined;
  return String(value);
}
