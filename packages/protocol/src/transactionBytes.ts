import { secp256k1 } from "@noble/curves/secp256k1";
import { bytesToHex, concatBytes, concatHex, type Hex, toHex, toRlp } from "viem";
import {
  type JsonObject,
  jsonAddressOrNothing,
  jsonBytes,
  jsonList,
  jsonQuantity,
  jsonWords,
} from "./jsonFields.js";
import { keccak256 } from "./keccak256.js";
import { decodeRlp, EncodingError, type Rlp, rlpBytes, rlpList, rlpNumber } from "./rlp.js";

/** Type of a transaction that L1, or the protocol itself, adds to a block of an OP-stack chain. */
export const DEPOSIT_TYPE = 0x7e;

/** The content of an encoded transaction. */
export interface DecodedTransaction {
  /** EIP-2718; 0 for a legacy transaction. */
  readonly type: number;
  readonly hash: Hex;
  /** Recovered from the signature, or stated in a deposit; null where the signature is invalid. */
  readonly from: Hex | null;
  /** Null where it creates a contract. */
  readonly to: Hex | null;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
  /** Null for a deposit, whose nonce is only in its receipt. */
  readonly nonce: bigint | null;
  readonly gasLimit: bigint;
  /** Null for a deposit, and for a legacy transaction without EIP-155. */
  readonly chainId: bigint | null;
}

/** The type of a transaction or receipt in a node's JSON; 0 where there is none, as for the oldest. */
export function typeOf(fields: JsonObject): number {
  if (fields.type === undefined || fields.type === null) return 0;
  const type = jsonQuantity(fields, "type");
  if (type.length > 4) throw new EncodingError("type is no byte");
  return type === "0x" ? 0 : Number(type);
}

const accessList = (fields: JsonObject): Rlp =>
  jsonList(fields, "accessList", (item) => [jsonBytes(item, "address", 20), jsonWords(item, "storageKeys")]);

const authorizationList = (fields: JsonObject): Rlp =>
  jsonList(fields, "authorizationList", (item) => [
    jsonQuantity(item, "chainId"),
    jsonBytes(item, "address", 20),
    ...["nonce", "yParity", "r", "s"].map((name) => jsonQuantity(item, name)),
  ]);

/** Older nodes return the parity of a typed transaction only as `v`, some of them with the 27 of legacy transactions. */
function parity(fields: JsonObject): Hex {
  if (fields.yParity !== undefined && fields.yParity !== null) return jsonQuantity(fields, "yParity");
  const v = jsonQuantity(fields, "v");
  return v === "0x1b" ? "0x" : v === "0x1c" ? "0x01" : v;
}

const target = (fields: JsonObject): Hex[] => [
  jsonAddressOrNothing(fields, "to"),
  jsonQuantity(fields, "value"),
  jsonBytes(fields, "input"),
];
const quantities = (fields: JsonObject, ...names: string[]) =>
  names.map((name) => jsonQuantity(fields, name));
const signature = (fields: JsonObject): Hex[] => [parity(fields), ...quantities(fields, "r", "s")];
const dynamicFee = (fields: JsonObject): Hex[] =>
  quantities(fields, "chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas", "gas");

/** The hashed fields of each type, in order: EIP-155, 2930, 1559, 4844, 7702, and the deposits of the OP stack. */
const forms: ReadonlyMap<number, (fields: JsonObject) => Rlp> = new Map<number, (fields: JsonObject) => Rlp>([
  [
    0,
    (fields) => [
      ...quantities(fields, "nonce", "gasPrice", "gas"),
      ...target(fields),
      ...quantities(fields, "v", "r", "s"),
    ],
  ],
  [
    1,
    (fields) => [
      ...quantities(fields, "chainId", "nonce", "gasPrice", "gas"),
      ...target(fields),
      accessList(fields),
      ...signature(fields),
    ],
  ],
  [2, (fields) => [...dynamicFee(fields), ...target(fields), accessList(fields), ...signature(fields)]],
  [
    3,
    (fields) => [
      ...dynamicFee(fields),
      ...target(fields),
      accessList(fields),
      jsonQuantity(fields, "maxFeePerBlobGas"),
      jsonWords(fields, "blobVersionedHashes"),
      ...signature(fields),
    ],
  ],
  [
    4,
    (fields) => [
      ...dynamicFee(fields),
      ...target(fields),
      accessList(fields),
      authorizationList(fields),
      ...signature(fields),
    ],
  ],
  [
    DEPOSIT_TYPE,
    (fields) => [
      jsonBytes(fields, "sourceHash", 32),
      jsonBytes(fields, "from", 20),
      jsonAddressOrNothing(fields, "to"),
      // A missing mint means zero; not every node returns a zero.
      fields.mint === undefined || fields.mint === null ? "0x" : jsonQuantity(fields, "mint"),
      jsonQuantity(fields, "value"),
      jsonQuantity(fields, "gas"),
      fields.isSystemTx === true ? "0x01" : "0x",
      jsonBytes(fields, "input"),
    ],
  ],
]);

/** Encodes a transaction as it is hashed, from a node's JSON. Throws `EncodingError`, also for an unknown type. */
export function encodeTransaction(fields: JsonObject): Uint8Array {
  const type = typeOf(fields);
  const form = forms.get(type);
  if (form === undefined) throw new EncodingError(`transactions of type ${type} are of an unknown form`);
  const payload = toRlp(form(fields) as never, "bytes") as Uint8Array;
  return type === 0 ? payload : concatBytes([Uint8Array.of(type), payload]);
}

/** The positions of each type's fields; the signature covers the first `signed` of them. */
const places: ReadonlyMap<number, { readonly nonce: number; readonly gas: number; readonly signed: number }> =
  new Map([
    [1, { nonce: 1, gas: 3, signed: 8 }],
    [2, { nonce: 1, gas: 4, signed: 9 }],
    [3, { nonce: 1, gas: 4, signed: 11 }],
    [4, { nonce: 1, gas: 4, signed: 10 }],
  ]);

/** Throws `EncodingError`, also for an unknown type. */
export function decodeTransaction(bytes: Hex): DecodedTransaction {
  const first = Number.parseInt(bytes.slice(2, 4), 16);
  // EIP-2718: a legacy transaction is a list, which begins with 0xc0 or more; types are below 0x80.
  const type = first >= 0xc0 ? 0 : first;
  const payload: Hex = type === 0 ? bytes : `0x${bytes.slice(4)}`;
  const items = rlpList(decodeRlp(payload, "the transaction"), "the transaction");
  const hash = keccak256(bytes);
  if (type === 0) return { type, hash, ...decodeUntyped(items) };
  if (type === DEPOSIT_TYPE) return { type, hash, ...decodeDeposit(items) };
  const place = places.get(type);
  if (place === undefined || items.length !== place.signed + 3)
    throw new EncodingError(`the transaction of type ${type} is of an unknown form`);
  const digest = keccak256(
    concatHex([toHex(type, { size: 1 }), toRlp(items.slice(0, place.signed) as never) as Hex]),
  );
  const [odd, r, s] = items.slice(place.signed);
  return {
    type,
    hash,
    from: recoverSender(digest, r, s, rlpNumber(odd, "the parity")),
    ...decodeTarget(items.slice(place.gas + 1)),
    nonce: rlpNumber(items[place.nonce], "the nonce"),
    gasLimit: rlpNumber(items[place.gas], "the gas limit"),
    chainId: rlpNumber(items[0], "the chain id"),
  };
}

type Fields = Omit<DecodedTransaction, "type" | "hash">;

/** Since EIP-155 the signature covers the chain id, which is then part of `v`. */
function decodeUntyped(items: readonly Rlp[]): Fields {
  if (items.length !== 9) throw new EncodingError("the transaction is of an unknown form");
  const v = rlpNumber(items[6], "v");
  const chainId = v >= 35n ? (v - 35n) / 2n : null;
  const covered = [...items.slice(0, 6), ...(chainId === null ? [] : [toBytes(chainId), "0x", "0x"])];
  const digest = keccak256(toRlp(covered as never) as Hex);
  const odd = chainId === null ? v - 27n : (v - 35n) % 2n;
  return {
    from: recoverSender(digest, items[7], items[8], odd),
    ...decodeTarget(items.slice(3)),
    nonce: rlpNumber(items[0], "the nonce"),
    gasLimit: rlpNumber(items[2], "the gas limit"),
    chainId,
  };
}

function decodeDeposit(items: readonly Rlp[]): Fields {
  if (items.length !== 8) throw new EncodingError("the deposit is of an unknown form");
  const [, from, to, , value, gas, , data] = items;
  return {
    from: rlpBytes(from, "the sender", 20),
    to: rlpBytes(to, "the target") === "0x" ? null : rlpBytes(to, "the target", 20),
    value: rlpNumber(value, "the value"),
    data: rlpBytes(data, "the data"),
    nonce: null,
    gasLimit: rlpNumber(gas, "the gas limit"),
    chainId: null,
  };
}

function decodeTarget([to, value, data]: readonly Rlp[]): Pick<Fields, "to" | "value" | "data"> {
  return {
    to: rlpBytes(to, "the target") === "0x" ? null : rlpBytes(to, "the target", 20),
    value: rlpNumber(value, "the value"),
    data: rlpBytes(data, "the data"),
  };
}

const toBytes = (value: bigint): Hex => {
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
};

function recoverSender(digest: Hex, r: Rlp | undefined, s: Rlp | undefined, odd: bigint): Hex | null {
  if (odd !== 0n && odd !== 1n) return null;
  try {
    const [first, second] = [rlpNumber(r, "r"), rlpNumber(s, "s")].map((word) =>
      toHex(word, { size: 32 }).slice(2),
    );
    const signed = secp256k1.Signature.fromCompact(`${first}${second}`).addRecoveryBit(Number(odd));
    const key = signed.recoverPublicKey(digest.slice(2)).toRawBytes(false);
    return `0x${keccak256(bytesToHex(key.slice(1))).slice(26)}`;
  } catch (error) {
    if (error instanceof EncodingError) throw error;
    return null;
  }
}
