import { concatBytes, type Hex, toRlp } from "viem";
import { type JsonObject, jsonBytes, jsonList, jsonQuantity, jsonWords } from "./jsonFields.js";
import { decodeRlp, EncodingError, type Rlp, rlpBytes, rlpList, rlpNumber } from "./rlp.js";
import { DEPOSIT_TYPE, typeOf } from "./transactionBytes.js";

export interface EventLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** What the bytes of a receipt say. */
export interface DecodedReceipt {
  readonly type: number;
  readonly success: boolean;
  /** Gas used in the block up to and with this transaction. */
  readonly cumulativeGasUsed: bigint;
  readonly logs: readonly EventLog[];
}

/**
 * A receipt as the block's receipts root holds it, from what a node tells of it. A deposit's nonce is part of it only from
 * the Canyon upgrade on, and is then followed by a version; before, nodes tell it all the same. Throws `EncodingError`.
 */
export function encodeReceipt(told: JsonObject): Uint8Array {
  const type = typeOf(told);
  const items: Rlp[] = [
    // Before Byzantium a state root stood here.
    told.root === undefined || told.root === null
      ? jsonQuantity(told, "status")
      : jsonBytes(told, "root", 32),
    jsonQuantity(told, "cumulativeGasUsed"),
    jsonBytes(told, "logsBloom", 256),
    jsonList(told, "logs", (log) => [
      jsonBytes(log, "address", 20),
      jsonWords(log, "topics"),
      jsonBytes(log, "data"),
    ]),
  ];
  const isVersioned = told.depositReceiptVersion !== undefined && told.depositReceiptVersion !== null;
  if (type === DEPOSIT_TYPE && isVersioned)
    items.push(jsonQuantity(told, "depositNonce"), jsonQuantity(told, "depositReceiptVersion"));
  const payload = toRlp(items as never, "bytes") as Uint8Array;
  return type === 0 ? payload : concatBytes([Uint8Array.of(type), payload]);
}

/** Throws `EncodingError`. */
export function decodeReceipt(bytes: Hex): DecodedReceipt {
  const first = Number.parseInt(bytes.slice(2, 4), 16);
  const type = first >= 0xc0 ? 0 : first;
  const payload: Hex = type === 0 ? bytes : `0x${bytes.slice(4)}`;
  const items = rlpList(decodeRlp(payload, "the receipt"), "the receipt");
  if (items.length !== 4 && !(type === DEPOSIT_TYPE && items.length === 6))
    throw new EncodingError("the receipt is of an unknown form");
  const [status, cumulativeGasUsed, bloom, logs] = items;
  rlpBytes(bloom, "the bloom", 256);
  const outcome = rlpNumber(status, "the status");
  if (outcome > 1n) throw new EncodingError("the receipt has no status");
  return {
    type,
    success: outcome === 1n,
    cumulativeGasUsed: rlpNumber(cumulativeGasUsed, "the gas used"),
    logs: rlpList(logs, "the logs").map(decodeLog),
  };
}

function decodeLog(item: Rlp): EventLog {
  const [address, topics, data] = rlpList(item, "a log");
  return {
    address: rlpBytes(address, "a log's address", 20),
    topics: rlpList(topics, "a log's topics").map((topic) => rlpBytes(topic, "a topic", 32)),
    data: rlpBytes(data, "a log's data"),
  };
}
