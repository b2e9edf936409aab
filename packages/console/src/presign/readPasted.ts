import { MAX_DATA_CHARACTERS } from "@assay/client";

import type { InputValues } from "../form/checkInput.js";
import { findUnjudged, readType, readWhole } from "./findUnjudged.js";

export type Pasted =
  | {
      readonly ok: true;
      readonly kind: "request" | "transaction" | "calldata";
      readonly values: InputValues;
      /** Harmless fields that no guard judges. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

type Fields = Readonly<Record<string, unknown>>;
type Hex = `0x${string}`;

const refuse = (problem: string): Pasted => ({ ok: false, problem });
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Requests whose first parameter is the transaction itself. */
const TRANSACTION_METHODS: ReadonlySet<unknown> = new Set([
  "eth_sendTransaction",
  "eth_signTransaction",
  "eth_estimateGas",
  "eth_call",
]);
const REQUEST_KEYS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

/**
 * A transaction in any form in which people have one: a JSON-RPC request or its parameters, a transaction object, a
 * serialized transaction, or calldata alone. Missing fields are left to the form. Fields that no guard judges are refused,
 * since an answer about the rest would pass for one about the whole.
 */
export async function readPasted(text: string): Promise<Pasted> {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    let value: unknown;
    try {
      value = JSON.parse(trimmed);
    } catch {
      return refuse("This starts like JSON but is not well-formed.");
    }
    return readJson(value);
  }
  // A page or a mail breaks long lines.
  const bytes = trimmed.replace(/[\s\u200b-\u200f\u2060\ufeff]+/g, "");
  if (!/^(0x)?[0-9a-f]+$/i.test(bytes) || bytes.length % 2 === 1)
    return refuse("Paste hex bytes, a transaction object or an eth_sendTransaction request.");
  return readBytes(bytes.toLowerCase().replace(/^(?!0x)/, "0x") as Hex);
}

async function readBytes(hex: Hex): Promise<Pasted> {
  if (isEnvelope(hex)) return readSerialized(hex);
  return hex.length > MAX_DATA_CHARACTERS
    ? refuse(tooLong(hex))
    : { ok: true, kind: "calldata", values: { data: hex }, notes: [] };
}

const tooLong = (data: string) =>
  `The calldata is too long: ${(data.length - 2) / 2} bytes, where the guards take at most ${(MAX_DATA_CHARACTERS - 2) / 2}.`;

/** The object itself, a list of one, or what a request has as its first parameter. */
function readJson(value: unknown): Pasted | Promise<Pasted> {
  if (Array.isArray(value)) {
    const [first, ...rest] = value;
    // After the transaction a request may name a block; anything more is another transaction or another state.
    const isOne = rest.every((one) => typeof one === "string" && !/^0x[0-9a-f]{64,}$/i.test(one));
    if (!isOne) return refuse("This is more than one transaction. Check them one by one.");
    return Array.isArray(first)
      ? refuse("No transaction is in this JSON: it is a list of lists.")
      : readJson(first);
  }
  if (!isFields(value)) return refuse(NO_TRANSACTION);
  if (!("params" in value) && !("method" in value)) return readRequest(value);
  const stray = Object.keys(value).find((name) => !REQUEST_KEYS.has(name));
  if (stray !== undefined)
    return refuse(`The request has ${stray} beside its params. Paste the transaction alone.`);
  const { method, params } = value;
  if (method === "eth_sendRawTransaction" && Array.isArray(params) && typeof params[0] === "string")
    return readPasted(params[0]);
  if (method !== undefined && !TRANSACTION_METHODS.has(method))
    return refuse(
      `The wallet is asked for ${String(method)}, not for one transaction; no guard judges that. Do not sign what nobody has explained to you.`,
    );
  return readJson(params);
}

const NO_TRANSACTION = "No transaction is in this JSON: it has neither to nor data.";
const CREATION = "The transaction creates a contract. The guards judge calls, which name an address in to.";

function readRequest(transaction: Fields): Pasted {
  const { from, to, data, input, value: amount } = transaction;
  if (to === undefined && data === undefined && input === undefined) return refuse(NO_TRANSACTION);
  const unjudged = findUnjudged(transaction);
  if (!unjudged.ok) return unjudged;
  if (to === undefined || to === null || to === "") return refuse(CREATION);
  for (const [name, part] of Object.entries({ from, to, data, input }))
    if (part !== undefined && part !== null && typeof part !== "string")
      return refuse(`${name} is not text in hex.`);
  const [bytes, other] = [data ?? input, input ?? data].map((part) => String(part ?? "").trim());
  if (bytes?.toLowerCase() !== other?.toLowerCase())
    return refuse(
      "data and input differ, and wallets do not agree on which of them counts. Do not sign it before its author says which.",
    );
  if ((bytes ?? "").length > MAX_DATA_CHARACTERS) return refuse(tooLong(bytes ?? ""));
  const wei = amount === undefined || amount === null ? "" : readWhole(amount);
  if (wei === undefined) return refuse("value is neither hex nor a decimal number of wei.");
  return {
    ok: true,
    kind: "request",
    values: { from: String(from ?? ""), to: String(to), data: bytes ?? "", value: wei },
    notes: unjudged.notes,
  };
}

/**
 * Whether bytes are one RLP list, alone (a legacy transaction) or after a type (EIP-2718). Calldata has that form only by
 * chance: the list must end where the bytes end.
 */
function isEnvelope(hex: Hex): boolean {
  const byteAt = (place: number) => Number.parseInt(hex.slice(2 + 2 * place, 4 + 2 * place), 16);
  const size = (hex.length - 2) / 2;
  const start = byteAt(0) < 0x80 ? 1 : 0;
  const head = byteAt(start);
  if (head >= 0xc0 && head <= 0xf7) return start + 1 + head - 0xc0 === size;
  if (!(head > 0xf7)) return false;
  const width = head - 0xf7;
  const length = Number.parseInt(hex.slice(4 + 2 * start, 4 + 2 * (start + width)), 16);
  return start + 1 + width + length === size;
}

async function readSerialized(hex: Hex): Promise<Pasted> {
  const { parseTransaction, recoverTransactionAddress } = await import("viem");
  const isLegacy = Number.parseInt(hex.slice(2, 4), 16) >= 0xc0;
  const type = readType(isLegacy ? 0 : Number.parseInt(hex.slice(2, 4), 16));
  if (!type.ok && type.type === undefined) return refuse(type.problem);
  try {
    const parsed = parseTransaction(hex);
    const { r, s, v, yParity, type: _, ...fields } = parsed as typeof parsed & Fields;
    const unjudged = findUnjudged({ ...fields, type: isLegacy ? 0 : type.type });
    if (!unjudged.ok) return unjudged;
    if (!parsed.to) return refuse(CREATION);
    const data = parsed.data ?? "0x";
    if (data.length > MAX_DATA_CHARACTERS) return refuse(tooLong(data));
    const from =
      r === undefined ? "" : await recoverTransactionAddress({ serializedTransaction: hex as never });
    return {
      ok: true,
      kind: "transaction",
      values: { from, to: parsed.to, data, value: (parsed.value ?? 0n).toString() },
      notes: unjudged.notes,
    };
  } catch {
    return refuse("These bytes have the form of a transaction and cannot be read as one. Do not sign them.");
  }
}
