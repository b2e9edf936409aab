import { type Hex, toRlp } from "viem";
import { keccak256 } from "./keccak256.js";
import { shortestBytes } from "./rlp.js";

/**
 * The header's fields in the order in which they are hashed. Forks only append fields, and a field is present from its fork
 * on: EIP-1559, 4895, 4844 (two), 4788, 7685.
 */
const FIELDS = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "quantity"],
  ["number", "quantity"],
  ["gasLimit", "quantity"],
  ["gasUsed", "quantity"],
  ["timestamp", "quantity"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"],
  ["baseFeePerGas", "quantity"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
] as const;

const HEX = /^0x[0-9a-f]*$/;

/** The header's RLP, if the fields in a node's answer hash to exactly this hash; undefined otherwise. */
export function encodeHeader(answer: unknown, blockHash: Hex): Hex | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const block = answer as Readonly<Record<string, unknown>>;
  const items: Hex[] = [];
  for (const [name, form] of FIELDS) {
    const value = block[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "string") return undefined;
    const hex = value.toLowerCase();
    if (!HEX.test(hex)) return undefined;
    const item = form === "bytes" ? (hex as Hex) : shortestBytes(hex as Hex);
    if (item.length % 2 !== 0) return undefined;
    items.push(item);
  }
  const rlp = toRlp(items);
  return keccak256(rlp) === blockHash.toLowerCase() ? rlp : undefined;
}
