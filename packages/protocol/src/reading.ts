import { z } from "zod";

/**
 * The answer to one question about the chain at one block. A value, nothing there, a revert and no answer are four
 * different facts. The first three are answers; an unanswered reading never supports an `allow`.
 */
export type Reading<T = string> =
  | { readonly status: "value"; readonly value: T }
  /** The chain answered that there is nothing: no code, or a call that returned no bytes. */
  | { readonly status: "absent" }
  /** The contract reverted. `data` is the revert data, where the node passes it on. */
  | { readonly status: "reverted"; readonly data: string | null }
  /** No node answered; `reason` states what happened instead. */
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
/** A question without any response. */
export const noAnswer: Reading<never> = unanswered("no_answer");

/** Applies `parse` to the value of a reading; every other reading stays as it is. */
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
