import { bytesSchema, hash32Schema, pageReadingsSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";

const address = recordedAddressSchema;
/** Outcomes whose payouts are read; a condition may have 256, nearly all have two. */
export const MAX_OUTCOMES_READ = 16;

const code = readingSchema(codeFingerprintSchema);
const word = readingSchema(hash32Schema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const slots = z.strictObject({
  eip1967Implementation: word,
  eip1967Admin: word,
  eip1967Beacon: word,
  eip1822Implementation: word,
  zeppelinosImplementation: word,
  diamondFacets: word,
});

const tokensSchema = z.strictObject({
  address,
  conditionId: hash32Schema,
  code,
  /** The words that the published code keeps about the condition. */
  storage: z.strictObject({
    outcomeSlotCount: word,
    payoutDenominator: word,
    payoutNumerators: z.array(word).length(MAX_OUTCOMES_READ),
  }),
  /** The contract's answers about the same: slot count, denominator, numerators, one word each. */
  answers: answer,
});

const oracleSchema = z.strictObject({
  address,
  questionId: hash32Schema,
  code,
  slots,
  /** Answer of `owner()` (ERC-173). */
  owner: answer,
  /** Answer of `getQuestion(questionId)`, which UMA's adapters have. */
  question: answer,
  /** The procedure that the oracle takes its answer from: kind, contract, code hash, state. */
  procedure: answer,
});

const marketSchema = z.strictObject({
  code,
  slots,
  conditionalTokens: answer,
  /** Answers of `conditionIds(0)` and `conditionIds(1)`. */
  conditionIds: z.array(answer).length(2),
  conditionId: answer,
  oracle: answer,
  questionId: answer,
  collateralToken: answer,
});

const chainReadingsSchema = z.strictObject({
  kind: z.literal("chain"),
  market: marketSchema,
  /** Null where the market names no such contract. */
  tokens: tokensSchema.nullable(),
  oracle: oracleSchema.nullable(),
  collateral: z.strictObject({ address, code }).nullable(),
});

/** Everything prediction.evidence is judged from, as plain JSON. */
export const predictionEvidenceReadingsSchema = z.discriminatedUnion("kind", [
  chainReadingsSchema,
  z.strictObject({ kind: z.literal("page"), web: pageReadingsSchema }),
]);

export type PredictionEvidenceReadings = z.output<typeof predictionEvidenceReadingsSchema>;
export type MarketChainReadings = z.output<typeof chainReadingsSchema>;
export type MarketReadings = z.output<typeof marketSchema>;
export type ConditionReadings = z.output<typeof tokensSchema>;
export type OracleReadings = z.output<typeof oracleSchema>;
