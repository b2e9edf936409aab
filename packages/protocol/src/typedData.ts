import { concat, numberToHex, pad } from "viem";
import { keccak256 } from "./keccak256.js";
import type { Hex } from "./primitives.js";

type FieldType = "address" | "uint40" | "uint128" | "uint256" | "bytes32" | "string";

export interface FlatStruct {
  readonly primaryType: string;
  readonly fields: readonly { readonly name: string; readonly type: FieldType }[];
}

const utf8 = new TextEncoder();
const encodeUint = (value: bigint | number) => numberToHex(value, { size: 32 });
const encoders: Record<FieldType, (value: never) => Hex> = {
  address: (value: Hex) => pad(value.toLowerCase() as Hex, { size: 32 }),
  uint40: encodeUint,
  uint128: encodeUint,
  uint256: encodeUint,
  bytes32: (value: Hex) => value,
  string: (value: string) => keccak256(utf8.encode(value)),
};

type OfMessage = (message: Readonly<Record<string, unknown>>) => Hex;

/** EIP-712 digests of one struct under one domain. */
export function createTypedDataHasher(struct: FlatStruct, domainSeparator: Hex): OfMessage {
  const encode = createTypedDataEncoder(struct, domainSeparator);
  return (message) => keccak256(encode(message));
}

/**
 * The 66 bytes whose Keccak-256 is the EIP-712 digest of one struct under one domain. Domain and type are hashed once, here,
 * instead of for every message; nested structs and arrays are not needed and not supported.
 */
export function createTypedDataEncoder(struct: FlatStruct, domainSeparator: Hex): OfMessage {
  const signature = `${struct.primaryType}(${struct.fields.map(({ name, type }) => `${type} ${name}`).join(",")})`;
  const typeHash = keccak256(utf8.encode(signature));
  return (message) => {
    const words = struct.fields.map(({ name, type }) => encoders[type](message[name] as never));
    return concat(["0x1901", domainSeparator, keccak256(concat([typeHash, ...words]))]);
  };
}
