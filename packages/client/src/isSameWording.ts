import type { FormerWording } from "@assay/capabilities";
import { isRecord } from "./readSaved.js";

/**
 * Whether two JSON values are equal, where a text of the recorded one may have former sentences in place of today's.
 * Everything but texts must be equal as it is.
 */
export function isSameWording(recorded: unknown, expected: unknown, former: FormerWording): boolean {
  if (typeof recorded === "string" && typeof expected === "string")
    return recorded === expected || reword(recorded, former) === expected;
  if (Array.isArray(recorded) && Array.isArray(expected))
    return (
      recorded.length === expected.length &&
      recorded.every((item, place) => isSameWording(item, expected[place], former))
    );
  if (isRecord(recorded) && isRecord(expected)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(expected)]);
    return [...names].every((name) => isSameWording(recorded[name], expected[name], former));
  }
  return recorded === expected;
}

/** Replaces in one pass, and leaves today's sentences alone: one of them may contain a former one. */
function reword(text: string, former: FormerWording): string {
  const replacements = new Map([
    ...Object.values(former).map((today) => [today, today] as const),
    ...Object.entries(former),
  ]);
  if (replacements.size === 0) return text;
  const longestFirst = [...replacements.keys()].sort((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(escapePattern).join("|"), "g");
  return text.replace(pattern, (sentence) => replacements.get(sentence) ?? sentence);
}

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
