import { bytesSchema } from "@assay/protocol";
import { z } from "zod";

const selector = z.string().regex(/^0x[0-9a-f]{8}$/, "must be four bytes");

/** More functions or variables than any token has; beyond it the analysis counts as unanswered. */
export const MAX_ANALYSED = 400;

/** What symbolic execution of a program shows of its functions and storage: a function of the code and the analyser alone. */
export const codeAnalysisSchema = z.strictObject({
  functions: z
    .array(
      z.strictObject({
        selector,
        /** Types, without names: `address,uint256`. */
        parameters: z.string().max(512),
        isView: z.boolean(),
      }),
    )
    .max(MAX_ANALYSED),
  storage: z
    .array(
      z.strictObject({
        slot: bytesSchema,
        /** Bytes from the right end of the word. */
        offset: z.int().min(0).max(31),
        type: z.string().max(256),
        reads: z.array(selector),
        writes: z.array(selector),
      }),
    )
    .max(MAX_ANALYSED),
});

export type CodeAnalysis = z.output<typeof codeAnalysisSchema>;
export type StorageRecord = CodeAnalysis["storage"][number];
