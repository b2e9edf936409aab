import { z } from "zod";

/**
 * One thing asked of the chain at one block. "No", "not there", "refused" and
 * "nobody answered" are four different facts; only `value` may support an `allow`.
 */
export type Reading<T = string> =
  | { readonly status: "value"; readonly value: T }
  /** The chain answered, and there is nothing: no code to call, or a call that returned no bytes. */
  | { readonly status: "absent" }
  /** The contract itself refused. `data` is the revert payload where the node passes it on. */
  | { readonly status: "reverted"; readonly data: string | null }
  /** No node gave an answer; `reason` says what was seen instead. */
  | { readonly status: "unanswered"; readonly reason: string };

export const readingSchema = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("value"), value }),
    z.strictObject({ status: z.literal("absent") }),
    z.strictObject({ status: z.literal("reverted"), data: z.string().nullable() }),
    z.strictObject({ status: z.literal("unanswered"), reason: z.string() }),
  ]);

export const absent: Reading<never> = { status: "absent" };
export const valueReading = <T>(value: T): Reading<T> => ({ status: "value", value });
export const unanswered = (reason: string): Reading<never> => ({ status: "unanswered", reason });
/** Asked, and nothing came back. */
export const noAnswer: Reading<never> = unanswered("no_answer");

/** Applies `parse` to a value that was read and leaves every non-answer as it is. */
export function mapReading<T, U>(reading: Reading<T>, parse: (value: T) => U): Reading<U> {
  return reading.status === "value" ? { status: "value", value: parse(reading.value) } : reading;
}

/** How many of these recorded readings, at any depth, were answered and how many were not. */
export function countReadings(readings: unknown): { answered: number; unanswered: number } {
  const counts = { answered: 0, unanswered: 0 };
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("status" in value && typeof value.status === "string") {
      if (value.status === "unanswered") counts.unanswered += 1;
      else counts.answered += 1;
    }
    Object.values(value).forEach(count);
  };
  count(readings);
  return counts;
}
