import { secp256k1 } from "@noble/curves/secp256k1";
import { bytesToHex, concatBytes, concatHex, type Hex, keccak256, toHex, toRlp } from "viem";
import {
  type JsonObject,
  jsonAddressOrNothing,
  jsonBytes,
  jsonList,
  jsonQuantity,
  jsonWords,
} from "./jsonFields.js";
import { decodeRlp, EncodingError, type Rlp, rlpBytes, rlpList, rlpNumber } from "./rlp.js";

/** Type of a transaction that L1, or the protocol itself, puts into a block of an OP-stack chain. */
export const DEPOSIT_TYPE = 0x7e;

/** What the bytes of a transaction say. */
export interface DecodedTransaction {
  /** EIP-2718; 0 for the form without a type. */
  readonly type: number;
  readonly hash: Hex;
  /** Recovered from the signature, or as a deposit states it; null where the signature is nobody's. */
  readonly from: Hex | null;
  /** Null where it creates a contract. */
  readonly to: Hex | null;
  /** Wei. */
  readonly value: bigint;
  readonly data: Hex;
  /** Null for a deposit, whose nonce is told by its receipt alone. */
  readonly nonce: bigint | null;
  readonly gasLimit: bigint;
  /** Null for a deposit, and for the form that was signed for any chain. */
  readonly chainId: bigint | null;
}

/** The type that a node states of a transaction or a receipt; 0 where it states none, as of the oldest. */
export function typeOf(told: JsonObject): number {
  if (told.type === undefined || told.type === null) return 0;
  const type = jsonQuantity(told, "type");
  if (type.length > 4) throw new EncodingError("type is no byte");
  return type === "0x" ? 0 : Number(type);
}

const accessList = (told: JsonObject): Rlp =>
  jsonList(told, "accessList", (item) => [jsonBytes(item, "address", 20), jsonWords(item, "storageKeys")]);

const authorizationList = (told: JsonObject): Rlp =>
  jsonList(told, "authorizationList", (item) => [
    jsonQuantity(item, "chainId"),
    jsonBytes(item, "address", 20),
    ...["nonce", "yParity", "r", "s"].map((name) => jsonQuantity(item, name)),
  ]);

/** Older nodes state the parity of a typed transaction as `v` alone, some of them with the 27 of the untyped form. */
function parity(told: JsonObject): Hex {
  if (told.yParity !== undefined && told.yParity !== null) return jsonQuantity(told, "yParity");
  const v = jsonQuantity(told, "v");
  return v === "0x1b" ? "0x" : v === "0x1c" ? "0x01" : v;
}

const target = (told: JsonObject): Hex[] => [
  jsonAddressOrNothing(told, "to"),
  jsonQuantity(told, "value"),
  jsonBytes(told, "input"),
];
const quantities = (told: JsonObject, ...names: string[]) => names.map((name) => jsonQuantity(told, name));
const signature = (told: JsonObject): Hex[] => [parity(told), ...quantities(told, "r", "s")];
const dynamicFee = (told: JsonObject): Hex[] =>
  quantities(told, "chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas", "gas");

/** What is hashed of each type, in order: EIP-155, 2930, 1559, 4844, 7702, and the deposits of the OP stack. */
const forms: ReadonlyMap<number, (told: JsonObject) => Rlp> = new Map<number, (told: JsonObject) => Rlp>([
  [
    0,
    (told) => [
      ...quantities(told, "nonce", "gasPrice", "gas"),
      ...target(told),
      ...quantities(told, "v", "r", "s"),
    ],
  ],
  [
    1,
    (told) => [
      ...quantities(told, "chainId", "nonce", "gasPrice", "gas"),
      ...target(told),
      accessList(told),
      ...signature(told),
    ],
  ],
  [2, (told) => [...dynamicFee(told), ...target(told), accessList(told), ...signature(told)]],
  [
    3,
    (told) => [
      ...dynamicFee(told),
      ...target(told),
      accessList(told),
      jsonQuantity(told, "maxFeePerBlobGas"),
      jsonWords(told, "blobVersionedHashes"),
      ...signature(told),
    ],
  ],
  [
    4,
    (told) => [
      ...dynamicFee(told),
      ...target(told),
      accessList(told),
      authorizationList(told),
      ...signature(told),
    ],
  ],
  [
    DEPOSIT_TYPE,
    (told) => [
      jsonBytes(told, "sourceHash", 32),
      jsonBytes(told, "from", 20),
      jsonAddressOrNothing(told, "to"),
      // No mint is the same as none of it; not every node writes it then.
      told.mint === undefined || told.mint === null ? "0x" : jsonQuantity(told, "mint"),
      jsonQuantity(told, "value"),
      jsonQuantity(told, "gas"),
      told.isSystemTx === true ? "0x01" : "0x",
      jsonBytes(told, "input"),
    ],
  ],
]);

/** A transaction as it is hashed, from what a node tells of it. Throws `EncodingError`, also for a type that is not known. */
export function encodeTransaction(told: JsonObject): Uint8Array {
  const type = typeOf(told);
  const form = forms.get(type);
  if (form === undefined) throw new EncodingError(`transactions of type ${type} are of an unknown form`);
  const payload = toRlp(form(told) as never, "bytes") as Uint8Array;
  return type === 0 ? payload : concatBytes([Uint8Array.of(type), payload]);
}

/** Where each type has its fields; `signed` is how many of them the signature covers. */
const places: ReadonlyMap<number, { readonly nonce: number; readonly gas: number; readonly signed: number }> =
  new Map([
    [1, { nonce: 1, gas: 3, signed: 8 }],
    [2, { nonce: 1, gas: 4, signed: 9 }],
    [3, { nonce: 1, gas: 4, signed: 11 }],
    [4, { nonce: 1, gas: 4, signed: 10 }],
  ]);

/** Throws `EncodingError`, also for a type that is not known. */
export function decodeTransaction(bytes: Hex): DecodedTransaction {
  const first = Number.parseInt(bytes.slice(2, 4), 16);
  // A list begins with 0xc0 or more, and no type reaches that far (EIP-2718).
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

/** Since EIP-155 the signature covers the chain id, which `v` then tells. */
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
