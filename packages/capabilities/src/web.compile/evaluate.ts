import { judgePage } from "../shared/page-text/judgePage.js";
import type { WebCompileInput } from "./input.js";
import type { WebCompileReadings } from "./readings.js";

/** Judges a page by what it shows and hides, and searches its wording for the claim. */
export const evaluateWebCompile = ({ claim }: WebCompileInput, readings: WebCompileReadings) =>
  judgePage(claim, readings);
