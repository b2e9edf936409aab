import { MAX_URL_CHARACTERS } from "@assay/protocol/primitives";
import { z } from "zod";
import { normalizePageUrl } from "../shared/inputs/fields.js";

/** Longest claim that is searched for in a page. */
const MAX_CLAIM_CHARACTERS = 500;

const pageUrl = z
  .string()
  .max(MAX_URL_CHARACTERS, `must be at most ${MAX_URL_CHARACTERS} characters`)
  .meta({ format: "uri" })
  .transform(normalizePageUrl);

export const input = z.strictObject({
  url: pageUrl.describe("public http or https page"),
  claim: z
    .string()
    .max(MAX_CLAIM_CHARACTERS, `must be at most ${MAX_CLAIM_CHARACTERS} characters`)
    .transform((text) => text.replaceAll(/\s+/g, " ").trim())
    .refine((text) => text !== "", "must not be empty")
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters")
    .optional()
    .describe("a sentence to look for in the page's wording"),
});

export type WebCompileInput = z.output<typeof input>;
