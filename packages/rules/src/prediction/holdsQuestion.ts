/**
 * Whether a text holds the question, whole: the same words and numbers one after the other, whatever case and punctuation,
 * from the beginning of a line or clause to the end of one. A part of a longer question is another question.
 */
export function holdsQuestion(question: string, text: string): boolean {
  const words = fold(question).match(/[\p{L}\p{M}\p{N}]+/gu);
  if (words === null) return false;
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
