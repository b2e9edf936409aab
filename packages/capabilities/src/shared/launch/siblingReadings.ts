import { type Hex, hash32Schema, readingSchema } from "@assay/protocol";
import { keccak256 } from "viem";
import { z } from "zod";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const address = recordedAddressSchema;

/** What else the creator of a token made. */
export const siblingReadingsSchema = z.strictObject({
  /** The account that created the token, and how many creations or transactions of it came before; null where none was found. */
  creation: z.strictObject({ creator: address, nonce: z.int().min(0) }).nullable(),
  /** A published factory that the token names. It makes too many tokens for these to say anything. */
  factory: z.strictObject({ address, name: z.string().max(128) }).nullable(),
  /** Of the creations with the nearest numbers, those that have code; null where none was read. */
  others: readingSchema(
    z.array(z.strictObject({ nonce: z.int().min(0), codeHash: hash32Schema })).max(32),
  ).nullable(),
});
export type SiblingReadings = z.output<typeof siblingReadingsSchema>;

/** The address of what an account creates: the hash of the RLP of its address and its nonce (Yellow Paper, section 7). */
export function nameCreated(creator: string, nonce: number): Hex {
  const digits = nonce === 0 ? "" : nonce.toString(16);
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`;
  const length = bytes.length / 2;
  // Numbers from 1 to 127 are their own encoding.
  const number = length === 1 && nonce < 0x80 ? bytes : `${(0x80 + length).toString(16)}${bytes}`;
  const payload = `94${creator.slice(2).toLowerCase()}${number}`;
  return `0x${keccak256(`0x${(0xc0 + payload.length / 2).toString(16)}${payload}`).slice(-40)}`;
}
