import { concatBytes, type Hex, toRlp } from "viem";
import { type JsonObject, jsonBytes, jsonList, jsonQuantity, jsonWords } from "./jsonFields.js";
import { decodeRlp, EncodingError, type Rlp, rlpBytes, rlpList, rlpNumber } from "./rlp.js";
import { DEPOSIT_TYPE, typeOf } from "./transactionBytes.js";

export interface EventLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The content of an encoded receipt. */
export interface DecodedReceipt {
  readonly type: number;
  readonly success: boolean;
  /** Gas used in the block up to and including this transaction. */
  readonly cumulativeGasUsed: bigint;
  readonly logs: readonly EventLog[];
}

/**
 * Encodes a receipt as it is hashed into the block's receipts root, from a node's JSON. A deposit's nonce is part of it only
 * from the Canyon upgrade on, where a version follows it; nodes return the nonce for older ones as well. Throws `EncodingError`.
 */
export function encodeReceipt(fields: JsonObject): Uint8Array {
  const type = typeOf(fields);
  const items: Rlp[] = [
    // Before Byzantium this field was a state root.
    fields.root === undefined || fields.root === null
      ? jsonQuantity(fields, "status")
      : jsonBytes(fields, "root", 32),
    jsonQuantity(fields, "cumulativeGasUsed"),
    jsonBytes(fields, "logsBloom", 256),
    jsonList(fields, "logs", (log) => [
      jsonBytes(log, "address", 20),
      jsonWords(log, "topics"),
      jsonBytes(log, "data"),
    ]),
  ];
  const isVersioned = fields.depositReceiptVersion !== undefined && fields.depositReceiptVersion !== null;
  if (type === DEPOSIT_TYPE && isVersioned)
    items.push(jsonQuantity(fields, "depositNonce"), jsonQuantity(fields, "depositReceiptVersion"));
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
