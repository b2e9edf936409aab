import { CHAIN_ID, type Hex } from "@assay/protocol";
import { InvalidArgumentError } from "../invalidArgumentError.js";
import { describeWrongChecksum, hasWrongChecksum } from "../recognize/findWrongChecksum.js";

/** Readers of parameters. Each throws InvalidArgumentError with a sentence that names the field and its rule. */

export function readAddress(value: unknown, field: string): Hex {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{40}$/.test(value))
    throw new InvalidArgumentError(`${field} must be an address: 0x and 40 hex digits.`);
  if (hasWrongChecksum(value)) throw new InvalidArgumentError(`${field}: ${describeWrongChecksum(value)}`);
  return value.toLowerCase() as Hex;
}

export function readBytes(value: unknown, field: string): Hex {
  if (typeof value !== "string" || !/^0x([0-9a-fA-F]{2})*$/.test(value))
    throw new InvalidArgumentError(`${field} must be bytes: 0x and pairs of hex digits.`);
  return value.toLowerCase() as Hex;
}

/** As EIP-1474 writes quantities; a word at most. */
export function readQuantity(value: unknown, field: string): bigint {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw new InvalidArgumentError(`${field} must be a quantity: 0x and hex digits.`);
  return BigInt(value);
}

export const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`;

export function readChain(value: unknown): void {
  const id = readQuantity(value, "chainId");
  if (id !== BigInt(CHAIN_ID))
    throw new InvalidArgumentError(
      `chainId is ${id}, but Assay judges what is for chain ${CHAIN_ID} (Base).`,
    );
}

/** An object with no other fields than these: what is not known would be signed unjudged. */
export function readFields(value: unknown, what: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidArgumentError(`${what} must be an object.`);
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw new InvalidArgumentError(
      `${what} has the field ${JSON.stringify(other.slice(0, 40))}, which is not judged.`,
    );
  return value as Record<string, unknown>;
}
