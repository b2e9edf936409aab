import { type Hex, MAX_URL_CHARACTERS } from "@assay/protocol/primitives";
import { z } from "zod";
import { normalizePageUrl } from "../shared/inputs/fields.js";

/** A market is a contract's address or the URL of a page. */
export const isMarketAddress = (market: string): market is Hex => /^0x[a-fA-F0-9]{40}$/.test(market);
const isHttpUrl = (text: string) => /^https?:/i.test(text) && URL.canParse(text);

export const input = z.strictObject({
  // Not normalized: the chain identifies a question by the hash of its exact bytes.
  question: z
    .string()
    .trim()
    .min(3)
    .max(500)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), "must not hold control characters")
    .describe("the question as it is asked, or the id of a question or condition"),
  market: z
    .string()
    .trim()
    .max(MAX_URL_CHARACTERS, { error: `must be at most ${MAX_URL_CHARACTERS} characters`, abort: true })
    .refine(
      (text) => isMarketAddress(text) || isHttpUrl(text),
      "must be 0x followed by 40 hex digits, or an http or https URL",
    )
    .transform((text) => (isMarketAddress(text) ? text.toLowerCase() : normalizePageUrl(text)))
    .describe("market address on the chain, or a public page"),
});

export type PredictionEvidenceInput = z.output<typeof input>;
