import { z } from "zod";
import { artifactIdSchema, type Hex, hash32Schema, lowercaseAddressSchema } from "./primitives.js";

/** Longest `data` accepted: 0x and 131,072 bytes. */
export const MAX_DATA_CHARACTERS = 262_146;
export const MAX_URL_CHARACTERS = 2048;
export const MAX_CLAIM_CHARACTERS = 500;

const lowercaseBytes = (
  maxCharacters: number,
  pattern = /^0x([a-fA-F0-9]{2})*$/,
  rule = "must be 0x followed by whole hex bytes",
) =>
  z
    .string()
    .max(maxCharacters, `must be at most ${maxCharacters} characters`)
    .regex(pattern, rule)
    .transform((value) => value.toLowerCase() as Hex);
/** Calldata in a query, which carries less of it than a body. */
export const dataInQuerySchema = (maxCharacters: number) =>
  lowercaseBytes(maxCharacters)
    .default("0x")
    .describe("calldata in hex, two digits a byte, 0x when empty; POST takes longer ones");
/** A non-negative integer in decimal, in the one spelling without leading zeros. */
const decimal = z
  .string()
  // `abort`: the refinement must not see what these refused, BigInt throws on it.
  .regex(/^[0-9]+$/, { error: "must be a decimal integer", abort: true })
  .max(78, { error: "must fit in 256 bits", abort: true })
  .refine((value) => BigInt(value) < 2n ** 256n, "must fit in 256 bits")
  .transform((value) => BigInt(value).toString());
/** Query strings carry numbers as text; JSON bodies carry them as numbers. */
const integer = (min: number, max: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^-?[0-9]{1,9}$/, "must be an integer")
        .transform(Number),
    ])
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

/**
 * As the URL standard writes it, without a fragment, so that one page has one input hash. Text that is no URL is left as it
 * is: whoever reads pages refuses it with everything else that is no public page.
 */
function writePageUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = "";
  return url.href;
}
const pageUrl = z
  .string()
  .max(MAX_URL_CHARACTERS, `must be at most ${MAX_URL_CHARACTERS} characters`)
  .meta({ format: "uri" })
  .transform(writePageUrl);

/** A market is a contract or a page; which of them, its spelling tells. */
export const isMarketAddress = (market: string): market is Hex => /^0x[a-fA-F0-9]{40}$/.test(market);
const isHttpUrl = (text: string) => /^https?:/i.test(text) && URL.canParse(text);

const address = lowercaseAddressSchema.describe("EVM address: 0x and 40 hex digits");
const addressInput = z.strictObject({ address });

const transactionInput = z.strictObject({
  from: address.describe("address that will sign the transaction"),
  to: address.describe("address the transaction calls"),
  data: lowercaseBytes(MAX_DATA_CHARACTERS)
    .default("0x")
    .describe("calldata in hex, two digits a byte, 0x when empty"),
  value: decimal.default("0").describe("native value in wei, decimal"),
});

/** The input of each capability; parsing normalizes, so equal questions get equal input hashes. */
export const capabilityInputs = {
  "contract.guard": addressInput,
  "transaction.intent.guard": transactionInput,
  "amm.swap.guard": transactionInput.extend({
    to: address.describe(
      "router that swaps: Uniswap V2 Router02, SwapRouter02, Aerodrome or Slipstream on Base, unless the operator names others; a refusal lists them",
    ),
    data: lowercaseBytes(
      MAX_DATA_CHARACTERS,
      /^0x([a-fA-F0-9]{2})+$/,
      "must be 0x followed by the swap call in whole hex bytes",
    ).describe("swap calldata in hex, two digits a byte"),
  }),
  "contract.change": addressInput,
  "token.metadata": addressInput,
  "contract.interface": addressInput,
  "chain.snapshot": z.strictObject({}),
  "token.launch.guard": addressInput,
  "evidence.artifact": z.strictObject({
    artifactId: artifactIdSchema.describe("sha256: and 64 hex digits, from a shared result"),
  }),
  "web.compile": z.strictObject({
    url: pageUrl.describe("public http or https page"),
    claim: z
      .string()
      .max(MAX_CLAIM_CHARACTERS, `must be at most ${MAX_CLAIM_CHARACTERS} characters`)
      .transform((text) => text.replaceAll(/\s+/g, " ").trim())
      .refine((text) => text !== "", "must not be empty")
      .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters")
      .optional()
      .describe("a sentence to look for in the page's wording"),
  }),
  "obligation.verdict": z.strictObject({
    obligationId: hash32Schema.describe("0x and 64 lowercase hex digits, from the claims feed"),
  }),
  "amm.v4.hook.guard": z.strictObject({
    poolManager: address.describe(
      "Uniswap v4 pool manager; on Base 0x498581ff718922c3f8e6a244956af099b2652b2b",
    ),
    currency0: address.describe("lower currency, zero address for native"),
    currency1: address.describe("higher currency"),
    fee: integer(0, 0x800000)
      .refine((fee) => fee <= 1_000_000 || fee === 0x800000, "must be at most 1000000, or 8388608 if dynamic")
      .describe("pool fee in hundredths of a basis point, 8388608 for dynamic"),
    tickSpacing: integer(1, 32_767).describe("tick spacing of the pool"),
    hooks: address.describe("hook contract, zero address for none"),
  }),
  "rwa.market.guard": z.strictObject({
    address: address.describe("token address"),
    symbol: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(32, "must be at most 32 characters")
      // Letters of every script are let through: an imitation asked about is told as one.
      .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters")
      .nullable()
      .default(null)
      .describe("symbol the token is traded under, or null"),
  }),
  "lending.collateral.guard": z.strictObject({
    marketId: z
      .string()
      .regex(/^0x[a-fA-F0-9]{64}$/, "must be 0x followed by 64 hex digits")
      .transform((value) => value.toLowerCase() as Hex)
      .describe("id of a Morpho Blue market: the hash of its five parameters"),
    collateralToken: address.describe("collateral token of that market"),
    loanToken: address.describe("loan token of that market"),
    userAddress: address
      .refine((value) => BigInt(value) !== 0n, "must not be the zero address, which cannot borrow")
      .describe("borrower"),
    borrowAmountWei: decimal
      .refine((value) => value !== "0", "must be above 0: there is nothing to borrow")
      .describe("amount to borrow in the loan token's smallest unit"),
  }),
  "trade.execution.notarize": z.strictObject({
    txHash: z
      .string()
      .regex(/^0x[a-fA-F0-9]{64}$/, "must be 0x followed by 64 hex digits")
      .transform((value) => value.toLowerCase() as Hex)
      .describe("hash of a mined transaction"),
    guardInvocationId: z
      .string()
      .regex(/^inv_[0-9a-f]{32}$/, "must be inv_ followed by 32 lowercase hex digits")
      .optional()
      .describe("the payer's own earlier call of a guard about this transaction"),
  }),
  "prediction.evidence": z.strictObject({
    // Not folded: on the chain a question is known by the hash of its exact bytes.
    question: z
      .string()
      .trim()
      .min(3)
      .max(500)
      .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters")
      .describe("the question as it is asked, or the id of a question or condition"),
    market: z
      .string()
      .trim()
      .max(MAX_URL_CHARACTERS, { error: `must be at most ${MAX_URL_CHARACTERS} characters`, abort: true })
      .refine(
        (text) => isMarketAddress(text) || isHttpUrl(text),
        "must be 0x followed by 40 hex digits, or an http or https URL",
      )
      .transform((text) => (isMarketAddress(text) ? text.toLowerCase() : writePageUrl(text)))
      .describe("market address on the chain, or a public page"),
  }),
} as const;

export type CapabilityId = keyof typeof capabilityInputs;
export type CapabilityInput<Id extends CapabilityId = CapabilityId> = z.output<(typeof capabilityInputs)[Id]>;
