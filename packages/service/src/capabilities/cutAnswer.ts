import { type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";

const missing: Reading<never> = unanswered("no_answer");

/** A contract decides how much it returns; what is cut was too long to be the answer asked for. */
export function cutAnswer(answer: Reading<Hex> = missing, maxBytes: number): Reading<Hex> {
  const digits = 2 + maxBytes * 2;
  if (answer.status === "reverted" && answer.data !== null) {
    return { status: "reverted", data: answer.data.slice(0, digits) };
  }
  return mapReading(answer, (data) => data.slice(0, digits) as Hex);
}
