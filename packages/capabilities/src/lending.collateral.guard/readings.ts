import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { observedReadingsSchema } from "../shared/observations/observedReadings.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";
import { type MorphoSlot, morphoSlotNames } from "./morphoLayout.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
const word = readingSchema(hash32Schema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");
/** One word of an answer, in decimal; null where the contract returned none. */
const wordOrNull = decimal.nullable();

/** The parts that an oracle names and what each part returns, in the order of `oracleFeeds` and `oracleVaults`. */
const oraclePartsSchema = z.strictObject({
  scaleFactor: wordOrNull,
  vaults: z
    .array(
      z.strictObject({
        vault: wordOrNull,
        sample: wordOrNull,
        assets: wordOrNull,
        assetDecimals: wordOrNull,
      }),
    )
    .length(2),
  /** `answer` is a signed number in two's complement; `updatedAt` is in Unix seconds. */
  feeds: z
    .array(
      z.strictObject({ feed: wordOrNull, decimals: wordOrNull, answer: wordOrNull, updatedAt: wordOrNull }),
    )
    .length(4),
  tokenDecimals: z.strictObject({ collateralToken: wordOrNull, loanToken: wordOrNull }),
});

const totalsSchema = z.strictObject({
  totalSupplyAssets: decimal,
  totalSupplyShares: decimal,
  totalBorrowAssets: decimal,
  totalBorrowShares: decimal,
  lastUpdate: decimal,
  fee: decimal,
});

/** Everything lending.collateral.guard is judged from besides its input, as plain JSON. */
export const lendingCollateralReadingsSchema = z.strictObject({
  block: z.strictObject({
    number: blockNumberSchema,
    hash: hash32Schema,
    /** Unix seconds: until then interest is added. */
    timestamp: z.int().min(0),
  }),
  codes: z.strictObject({ morpho: code, loanToken: code, collateralToken: code, oracleFactory: code }),
  /** Words of Morpho's storage. */
  slots: z.strictObject(
    Object.fromEntries(morphoSlotNames.map((name) => [name, word])) as Record<MorphoSlot, typeof word>,
  ),
  /** The same by Morpho's own functions. */
  views: z.strictObject({ idToMarketParams: answer, market: answer, position: answer }),
  /** What Morpho holds of the loan token, for all of its markets together. */
  loanTokenHeld: answer,
  /** Wei of the user, before a transaction is paid for. */
  userBalance: readingSchema(decimal),
  /** What the market names; null where there is no such market, or not with these tokens, or it was not read. */
  market: z
    .strictObject({
      oracle: observedReadingsSchema.pick({ code: true, slots: true, masterCopy: true }).extend({
        address,
        price: answer,
        /** Whether Morpho's factory states that it made the oracle. */
        isFactoryMade: answer,
        sight: readingSchema(oraclePartsSchema),
      }),
      /** Null in a market without an interest model. */
      irm: z.strictObject({ address, code, rate: answer }).nullable(),
      borrow: z.strictObject({
        /** The borrow as a plain call of the user's. */
        call: answer,
        /** The borrow made for the user by the probe, which then tries the line below which Morpho refuses. */
        probe: readingSchema(
          z.strictObject({
            success: z.boolean(),
            returned: bytesSchema,
            /** The user's balance of the loan token; null where the token gave no word. */
            heldBefore: wordOrNull,
            heldAfter: wordOrNull,
            /** As Morpho returns them after the borrow. */
            market: totalsSchema,
            position: z.strictObject({ borrowShares: decimal, collateral: decimal }),
            /** What the oracle returns to the probe. */
            price: wordOrNull,
            /** The least collateral that carries the debt at that price. */
            line: decimal,
            /** Whether Morpho lets everything be withdrawn but the line, and whether it lets one unit more go. */
            holdsOnLine: z.boolean(),
            holdsBelowLine: z.boolean(),
          }),
        ),
      }),
    })
    .nullable(),
});

export type LendingCollateralReadings = z.output<typeof lendingCollateralReadingsSchema>;
export type OracleParts = z.output<typeof oraclePartsSchema>;
