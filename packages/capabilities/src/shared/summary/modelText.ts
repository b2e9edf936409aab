import { spellHiddenCharacters } from "@assay/protocol";

/** A text on one line, without characters that a reader does not see: they can hide orders or begin a line of their own. */
export const oneLine = (text: string): string =>
  spellHiddenCharacters(text.replace(/\p{Cs}/gu, "\ufffd").replace(/\s+/gu, " ")).trim();

/** Text that somebody else may have chosen, in quotation marks that it cannot close. */
export const quote = (text: string): string => `"${oneLine(text).replaceAll('"', "'")}"`;

/**
 * How many tokens a text is at most, for any common tokenizer. Words are cut every four or five letters, capitals every two or
 * three, digits and hex every two, signs are tokens of their own, and other scripts may need one for each byte.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(/[a-z]*\d[a-z\d]*|[A-Z]+|[a-z]+|[^\sA-Za-z\d]|\s{2,}|\n/gu)) {
    if (/\d/.test(part)) tokens += Math.ceil(part.length / 1.6);
    else if (/^[A-Z]/.test(part)) tokens += Math.ceil(part.length / 3);
    else if (/^[a-z]/.test(part)) tokens += Math.ceil(part.length / 6);
    else tokens += new TextEncoder().encode(part).length;
  }
  return tokens;
}

/** The text, or as much of it as the tokens allow, cut between words. */
export function clip(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const words = text.split(" ");
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(words.slice(0, middle).join(" ")) + 2 <= tokens) low = middle;
    else high = middle - 1;
  }
  return `${words.slice(0, low).join(" ")} …`.trimStart();
}

/** As many of the items as the tokens allow, with the number of those left out. */
export function fit(items: readonly string[], separator: string, tokens: number): string {
  const shown: string[] = [];
  let used = 4;
  for (const item of items) {
    used += estimateTokens(item) + 1;
    if (used > tokens) break;
    shown.push(item);
  }
  const left = items.length - shown.length;
  if (left === 0) return shown.join(separator);
  return shown.length === 0 ? `${left}` : `${shown.join(separator)}${separator}and ${left} more`;
}
