import type { Hex, Reading } from "@assay/protocol";

/** The first word of what a contract answered, as callers decode it, who ignore what comes after; null where there is none. */
export function readLeadingWord(answer: Reading<Hex>): bigint | null {
  return answer.status === "value" && answer.value.length >= 66 ? BigInt(answer.value.slice(0, 66)) : null;
}
