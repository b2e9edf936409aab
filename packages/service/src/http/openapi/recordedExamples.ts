import { readFileSync } from "node:fs";
import { packageFolder } from "../../base/packageFolder.js";

/** By operation and status: a response that was really given, and what was left out of it. */
export type RecordedExamples = Readonly<
  Record<string, Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>>
>;

export const EXAMPLES_FILE = new URL("openapi/examples.json", packageFolder);

/** What `npm run examples` wrote. */
export function loadRecordedExamples(): RecordedExamples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, "utf8")) as RecordedExamples;
}
