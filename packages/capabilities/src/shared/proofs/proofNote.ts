import type { StateProofs } from "@assay/protocol";
import type { ProvableAccount } from "./provableFact.js";

const NOT_PROVEN = " Not proven: code and slots are as a node reported them.";

/** What the summary ends with where there is state to prove and no proof of it: many readers go no further than the summary. */
export const proofNote = (facts: readonly ProvableAccount[], proofs: StateProofs | null): string =>
  facts.length > 0 && proofs === null ? NOT_PROVEN : "";

/** A summary without that note, and the note by itself: it stands beside the verdict however much of the rest is shown. */
export const splitProofNote = (summary: string): { words: string; note: string } =>
  summary.endsWith(NOT_PROVEN)
    ? { words: summary.slice(0, -NOT_PROVEN.length), note: NOT_PROVEN.trim() }
    : { words: summary, note: "" };
