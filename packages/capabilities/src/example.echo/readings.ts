import { bytesSchema, readingSchema } from "@assay/protocol";
import { z } from "zod";

/** Everything the verdict is computed from beside the input, as plain JSON. A verifier parses it from the answer. */
export const exampleEchoReadingsSchema = z.strictObject({
  /** What the call returned, undecoded. */
  blockNumber: readingSchema(bytesSchema),
});

export type ExampleEchoReadings = z.output<typeof exampleEchoReadingsSchema>;
