import { type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";

/** For flags, addresses and amounts, which are one word; a second one is kept to show that there was more. */
export const WORD_ANSWER_BYTES = 64;

/** Bounds an answer, because a contract decides how much it returns. A longer one is not the answer asked for. */
export function cutAnswer(answer: Reading<Hex> = noAnswer, maxBytes: number): Reading<Hex> {
  const digits = 2 + maxBytes * 2;
  if (answer.status === "reverted" && answer.data !== null) {
    return { status: "reverted", data: answer.data.slice(0, digits) };
  }
  return mapReading(answer, (data) => data.slice(0, digits) as Hex);
}
