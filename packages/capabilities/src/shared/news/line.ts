import type { Line, Tone } from "./news.js";

/** A line, or none where its text is not known: to be spread into a list. */
export const line = (name: string, text: string | undefined, tone?: Tone): Line[] =>
  text === undefined ? [] : [{ name, text, ...(tone && { tone }) }];

export const yesNo = (flag: boolean | undefined): string | undefined =>
  flag === undefined ? undefined : flag ? "yes" : "no";

/** A word of a program as a person writes it: `needs_approval`, `needsApproval`. */
export const spell = (word: string | undefined): string | undefined =>
  word
    ?.replace(/[_.]/g, " ")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();

/** The first of them, and how many there are besides. */
export function listSome(items: readonly string[], most = 6): string | undefined {
  if (items.length === 0) return undefined;
  const left = items.length - most;
  return `${items.slice(0, most).join(", ")}${left > 0 ? `, and ${left} more` : ""}`;
}

/** As the first word of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
