/** How a text that is about some question relates to the question that was asked. */
export type QuestionMatch = "heads" | "within" | "absent";

/**
 * Wording alone: the same words and numbers one after the other, whatever case and punctuation, and the whole of them. A
 * part of a longer question is another question, and one that a text only mentions need not be what the text is about.
 */
export function compareQuestion(
  question: string,
  { headings, text }: { readonly headings: readonly string[]; readonly text: string },
): QuestionMatch {
  const words = listWords(question);
  if (words.length === 0) return "absent";
  const asked = words.join(" ");
  if (headings.some((heading) => listWords(heading).join(" ") === asked)) return "heads";
  return isClause(words, text) ? "within" : "absent";
}

const listWords = (text: string): string[] => readText(text).words;

/** From the beginning of a line or clause to the end of one. */
function isClause(asked: readonly string[], text: string): boolean {
  const { words, begins } = readText(text);
  for (let at = 0; at + asked.length <= words.length; at++) {
    const end = at + asked.length;
    if (!begins[at] || (end < words.length && !begins[end])) continue;
    if (asked.every((word, index) => words[at + index] === word)) return true;
  }
  return false;
}

/** Longer than any page text that is read, unless its characters were chosen to grow when they are normalized. */
const MAX_CHARACTERS = 400_000;

/** Words and numbers without case, style and punctuation, and before which of them a sign or a new line stands. */
function readText(text: string): { words: string[]; begins: boolean[] } {
  const words: string[] = [];
  const begins: boolean[] = [];
  let isBroken = true;
  const plain = text.normalize("NFKC").slice(0, MAX_CHARACTERS).toLowerCase();
  for (const [part] of plain.matchAll(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu)) {
    if (!/^[\p{L}\p{M}\p{N}]/u.test(part)) {
      isBroken ||= /[^\p{Zs}\t]/u.test(part);
      continue;
    }
    words.push(part);
    begins.push(isBroken);
    isBroken = false;
  }
  return { words, begins };
}

/** A page's title is often followed by the name of its site. */
export const splitTitle = (title: string): string[] => [title, ...title.split(/ [|–—·-] /)];

/** The title in a text of UMA's form, `q: title: …, description: …`; otherwise its first line. */
export function findTextTitle(text: string): string {
  const [start = ""] = text.replace(/^\s*(?:q:\s*)?(?:title:\s*)?/i, "").split(/,\s*description:|\n/i, 1);
  return start;
}
