import { type Hex, hexToString, size, slice } from "viem";

/** Who had part in a transaction, as the suffix of ERC-8021 names them. Nobody checks these names. */
export interface Attribution {
  readonly schema: 0 | 1 | 2;
  readonly codes: readonly string[];
  /** Schema 1 names its own registry of codes. */
  readonly registry?: { readonly address: Hex; readonly chainId: number };
}

interface SplitCalldata {
  readonly calldata: Hex;
  readonly attribution: Attribution | null;
}

const MARKER = "80218021802180218021802180218021";
const MARKER_BYTES = 16;
/** Codes of the registry, several with commas between them. */
const codeList = /^[\x21-\x2b\x2d-\x7e]+(,[\x21-\x2b\x2d-\x7e]+)*$/;

/**
 * Cuts off an attribution suffix (ERC-8021), which is read from the end: marker (16 bytes), schema (1 byte), then what
 * the schema says. Contracts ignore it. A suffix that is not well formed stays, because then it is only unknown bytes.
 */
export function splitAttribution(data: Hex): SplitCalldata {
  const whole = { calldata: data, attribution: null };
  if (!data.toLowerCase().endsWith(MARKER)) return whole;
  const end = size(data) - MARKER_BYTES - 1;
  if (end < 1) return whole;
  const schema = Number(slice(data, end, end + 1));
  const found = schema === 2 ? readCbor(data, end) : schema < 2 ? readCodes(data, end, schema) : undefined;
  if (found === undefined) return whole;
  const calldata = found.start === 0 ? "0x" : slice(data, 0, found.start);
  return { calldata, attribution: found.attribution };
}

interface Found {
  /** Where the suffix begins. */
  readonly start: number;
  readonly attribution: Attribution;
}

/** Schemas 0 and 1: [registry (20) ‖ chain id ‖ its length (1)] ‖ codes ‖ their length (1). */
function readCodes(data: Hex, end: number, schema: number): Found | undefined {
  const length = Number(slice(data, end - 1, end));
  const start = end - 1 - length;
  if (length === 0 || start < 0) return undefined;
  const text = hexToString(slice(data, start, end - 1));
  if (!codeList.test(text)) return undefined;
  const codes = text.split(",");
  if (schema === 0) return { start, attribution: { schema: 0, codes } };
  if (start < 22) return undefined;
  const chainIdBytes = Number(slice(data, start - 1, start));
  const registryAt = start - 1 - chainIdBytes - 20;
  // A chain id of more than six bytes is no safe integer.
  if (chainIdBytes === 0 || chainIdBytes > 6 || registryAt < 0) return undefined;
  const address = slice(data, registryAt, registryAt + 20);
  const chainId = Number(slice(data, registryAt + 20, start - 1));
  return { start: registryAt, attribution: { schema: 1, codes, registry: { address, chainId } } };
}

/** Schema 2: a CBOR map ‖ its length (2). Codes are the texts under `a` (app), `w` (wallet) and `s` (services). */
function readCbor(data: Hex, end: number): Found | undefined {
  if (end < 3) return undefined;
  const length = Number(slice(data, end - 2, end));
  const start = end - 2 - length;
  if (length === 0 || start < 0) return undefined;
  const map = readCborMap(slice(data, start, end - 2));
  if (map === undefined) return undefined;
  const codes = ["a", "w", "s"].flatMap((key) => map.get(key) ?? []).filter((one) => typeof one === "string");
  return { start, attribution: { schema: 2, codes } };
}

/** The map's entries, if the bytes are exactly one map with texts as keys (RFC 8949). */
function readCborMap(bytes: Hex): ReadonlyMap<string, unknown> | undefined {
  let at = 0;
  const byte = () => {
    const value = Number(slice(bytes, at, at + 1));
    at += 1;
    return value;
  };
  const count = (info: number) => {
    if (info < 24) return info;
    if (info > 26) throw new RangeError("a length that no suffix needs");
    let value = 0;
    for (let left = 1 << (info - 24); left > 0; left -= 1) value = value * 256 + byte();
    return value;
  };
  function readItem(depth: number): unknown {
    if (depth > 8) throw new RangeError("nested too deeply");
    const head = byte();
    const [major, info] = [head >> 5, head & 31];
    if (major === 7) {
      if (info < 20 || info > 23) throw new RangeError("a value that no suffix needs");
      return [false, true, null, undefined][info - 20];
    }
    const amount = count(info);
    if (major < 2) return major === 0 ? amount : -1 - amount;
    if (major < 4) {
      if (at + amount > size(bytes)) throw new RangeError("a text ends outside of the suffix");
      const content = amount === 0 ? "0x" : slice(bytes, at, at + amount);
      at += amount;
      return major === 3 ? hexToString(content) : content;
    }
    if (major === 4) return Array.from({ length: verifyCount(amount) }, () => readItem(depth + 1));
    if (major === 5)
      return new Map(
        Array.from(
          { length: verifyCount(amount) },
          () => [readItem(depth + 1), readItem(depth + 1)] as const,
        ),
      );
    throw new RangeError("a tag that no suffix needs");
  }
  const verifyCount = (amount: number) => {
    if (amount > size(bytes)) throw new RangeError("more items than bytes");
    return amount;
  };
  try {
    const item = readItem(0);
    if (!(item instanceof Map) || at !== size(bytes)) return undefined;
    return [...item.keys()].every((key) => typeof key === "string") ? item : undefined;
  } catch {
    return undefined;
  }
}
