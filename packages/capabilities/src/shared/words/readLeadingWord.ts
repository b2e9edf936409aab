import type { Hex, Reading } from "@assay/protocol";

/** The first word of a contract's answer; null where there is none. Callers decode it this way and ignore what follows. */
export function readLeadingWord(answer: Reading<Hex>): bigint | null {
  return answer.status === "value" && answer.value.length >= 66 ? BigInt(answer.value.slice(0, 66)) : null;
}
