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

const listWords = (text: string): string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** From the beginning of a line or clause to the end of one. */
function isClause(words: readonly string[], text: string): boolean {
  // Blanks are single after folding, so that no pattern here can be made to search one place again and again.
  const pattern = `(?:^|\\n|[^\\p{L}\\p{M}\\p{N}\\s] ?)${words.join("[^\\p{L}\\p{M}\\p{N}]{1,8}")} ?(?:$|\\n|[^\\p{L}\\p{M}\\p{N}\\s])`;
  return new RegExp(pattern, "u").test(fold(text));
}

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, "\n")
    .trim();

/** A page's title is often followed by the name of its site. */
export const splitTitle = (title: string): string[] => [title, ...title.split(/ [|–—·-] /)];

/** The title in a text of UMA's form, `q: title: …, description: …`; otherwise its first line. */
export function findTextTitle(text: string): string {
  const [start = ""] = text.replace(/^\s*(?:q:\s*)?(?:title:\s*)?/i, "").split(/,\s*description:|\n/i, 1);
  return start;
}
