import { readFileSync } from "node:fs";
import { packageFolder } from "../../base/packageFolder.js";

/** By operation and status: a response that was really given. Its long lists and texts are shortened. */
export type RecordedExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const EXAMPLES_FILE = new URL("openapi/examples.json", packageFolder);

/** What `npm run examples` wrote. */
export function loadRecordedExamples(): RecordedExamples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, "utf8")) as RecordedExamples;
}
