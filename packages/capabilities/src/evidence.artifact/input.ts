import { artifactIdSchema } from "@assay/protocol/primitives";
import { z } from "zod";

export const input = z.strictObject({
  artifactId: artifactIdSchema.describe("sha256: and 64 hex digits, from a shared result"),
});

export type EvidenceArtifactInput = z.output<typeof input>;
