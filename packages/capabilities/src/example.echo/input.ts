import { z } from "zod";

/** Parsed from a query or a JSON body. The description is what the catalog, the OpenAPI document and forms show. */
export const input = z.strictObject({
  text: z.string().max(64, "must be at most 64 characters").describe("text to echo, 64 characters at most"),
});

export type ExampleEchoInput = z.output<typeof input>;
