import { artifactIdSchema, blockNumberSchema, hash32Schema, verdictSchema } from "@assay/protocol";
import { z } from "zod";

const block = z.strictObject({
  number: blockNumberSchema,
  hash: hash32Schema,
  /** Unix seconds. */
  timestamp: z.int().min(0),
});

/** Milliseconds since 1970, as far as a Date reaches. */
const instantMs = z.int().min(0).max(8.64e15);

/** What evidence.artifact is judged from: where the artifact came from, when it was read, and its new answer. */
export const evidenceArtifactReadingsSchema = z.strictObject({
  /** The block of this call, and the reader's clock at it: a window ends by whichever comes first. */
  block,
  observedAtMs: instantMs,
  source: z.strictObject({
    artifactId: artifactIdSchema,
    capabilityId: z.string(),
    capabilityVersion: z.string(),
    input: z.record(z.string(), z.unknown()),
    inputHash: artifactIdSchema,
    resultHash: artifactIdSchema,
    block,
    validUntilBlock: blockNumberSchema,
    freshUntilMs: instantMs,
    /** Names only; the values were sold to somebody else. */
    fieldPaths: z.array(z.string()),
  }),
  /** Null for a live artifact, and for one whose capability is no longer sold. The answer itself is `result.refreshed`. */
  refreshed: z
    .strictObject({
      capabilityId: z.string(),
      capabilityVersion: z.string(),
      artifactId: artifactIdSchema,
      resultHash: artifactIdSchema,
      verdict: verdictSchema,
      reasonCodes: z.array(z.string().regex(/^[A-Z][A-Z0-9_]+$/, "must be a reason code")),
      validUntilBlock: blockNumberSchema,
      freshUntilMs: instantMs,
    })
    .nullable(),
});

export type EvidenceArtifactReadings = z.output<typeof evidenceArtifactReadingsSchema>;

/** When an answer may be reused. */
export interface ArtifactWindow {
  readonly block: { readonly number: number };
  readonly validUntilBlock: number;
  readonly freshUntilMs: number;
}

/** Inside its window by block and by clock. */
export function isArtifactLive(window: ArtifactWindow, atBlock: number, atMs: number): boolean {
  return window.block.number <= atBlock && atBlock <= window.validUntilBlock && atMs < window.freshUntilMs;
}
