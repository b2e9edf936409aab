import { z } from "zod";
import { artifactIdSchema, blockNumberSchema, dateTimeSchema, verdictSchema } from "./primitives.js";
import { resultSchema } from "./wireShapes.js";

/** `result.refreshed` of evidence.artifact: an expired artifact's question, answered anew. */
export const refreshedAnswerSchema = z.strictObject({
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  artifactId: artifactIdSchema,
  verdict: verdictSchema,
  result: resultSchema,
  /** Governs this answer, whatever the window of the call around it; it ends by whichever comes first. */
  validUntil: z.strictObject({ block: blockNumberSchema, time: dateTimeSchema }),
});

export type RefreshedAnswer = z.infer<typeof refreshedAnswerSchema>;
