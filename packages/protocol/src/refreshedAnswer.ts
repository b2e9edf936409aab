import { z } from "zod";
import { artifactIdSchema, blockNumberSchema, dateTimeSchema, verdictSchema } from "./primitives.js";
import { resultSchema } from "./wireShapes.js";

/** `result.refreshed` of evidence.artifact: the question of an expired artifact, answered again. */
export const refreshedAnswerSchema = z.strictObject({
  capabilityId: z.string(),
  capabilityVersion: z.string(),
  artifactId: artifactIdSchema,
  verdict: verdictSchema,
  result: resultSchema,
  /** The validity of this answer, not of the call that contains it; it ends at the block or the time, whichever is first. */
  validUntil: z.strictObject({ block: blockNumberSchema, time: dateTimeSchema }),
});

export type RefreshedAnswer = z.infer<typeof refreshedAnswerSchema>;
