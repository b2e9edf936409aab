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

/**
 * EIP-712 digests of one struct under one domain. Domain and type are hashed once, here, instead
 * of for every message; nested structs and arrays are not needed and not supported.
 */
export function createTypedDataHasher(
  struct: FlatStruct,
  domainSeparator: Hex,
): (message: Readonly<Record<string, unknown>>) => Hex {
  const signature = `${struct.primaryType}(${struct.fields.map(({ name, type }) => `${type} ${name}`).join(",")})`;
  const typeHash = keccak256(utf8.encode(signature));
  return (message) => {
    const words = struct.fields.map(({ name, type }) => encoders[type](message[name] as never));
    return keccak256(concat(["0x1901", domainSeparator, keccak256(concat([typeHash, ...words]))]));
  };
}
