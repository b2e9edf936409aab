import { type Hex, lowercaseAddressSchema } from "@assay/protocol/primitives";
import { z } from "zod";

/** Longest `data` accepted: 0x and 131,072 bytes. */
export const MAX_DATA_CHARACTERS = 262_146;

export const addressField = lowercaseAddressSchema.describe("EVM address: 0x and 40 hex digits");

/** The input of every capability that asks about one address. */
export const addressInput = z.strictObject({ address: addressField });

export const bytesField = (
  maxCharacters: number,
  pattern = /^0x([a-fA-F0-9]{2})*$/,
  rule = "must be 0x followed by whole hex bytes",
) =>
  z
    .string()
    .max(maxCharacters, `must be at most ${maxCharacters} characters`)
    .regex(pattern, rule)
    .transform((value) => value.toLowerCase() as Hex);

/** A non-negative integer in decimal, in the one spelling without leading zeros. */
export const decimalField = z
  .string()
  // `abort`: the refinement must not see text that these rules refused, because BigInt throws on it.
  .regex(/^[0-9]+$/, { error: "must be a decimal integer", abort: true })
  .max(78, { error: "must fit in 256 bits", abort: true })
  .refine((value) => BigInt(value) < 2n ** 256n, "must fit in 256 bits")
  .transform((value) => BigInt(value).toString());

/** Query strings carry numbers as text; JSON bodies carry them as numbers. */
export const integerField = (min: number, max: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^-?[0-9]{1,9}$/, "must be an integer")
        .transform(Number),
    ])
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/** A transaction as it would be signed, without fees and nonce. */
export const transactionInput = z.strictObject({
  from: addressField.describe("address that will sign the transaction"),
  to: addressField.describe("address the transaction calls"),
  data: bytesField(MAX_DATA_CHARACTERS)
    .default("0x")
    .describe("calldata in hex, two digits a byte, 0x when empty"),
  value: decimalField.default("0").describe("native value in wei, decimal"),
});

/** Calldata in a query, which carries less of it than a body. */
export const dataInQuerySchema = (maxCharacters: number) =>
  bytesField(maxCharacters)
    .default("0x")
    .describe("calldata in hex, two digits a byte, 0x when empty; POST takes longer ones");

/**
 * Writes a URL as the URL standard does, without a fragment, so that one page has one input hash. Text that is no URL stays
 * as it is: the page reader refuses it.
 */
export function normalizePageUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = "";
  return url.href;
}
