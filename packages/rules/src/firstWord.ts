import type { Hex, Reading } from "@assay/protocol";

/** The first word of what a contract answered, where there is one. */
export function firstWord(answer: Reading<Hex>): bigint | null {
  return answer.status === "value" && answer.value.length >= 66 ? BigInt(answer.value.slice(0, 66)) : null;
}
