/** Shorter pieces stand on a page by chance; an order could be put together from them. */
const MIN_WORDS = 5;
const SENTENCE = /[^.!?。！？\n]+[.!?。！？\n]*/g;

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns a function that removes from a text the sentences that people see on the page anyway: an article's own words in its
 * metadata, in a copy for small screens or behind a button are not hidden.
 */
export function createSeenRemover(seenText: string): (text: string) => string {
  const seen = ` ${wordsOf(seenText).join(" ")} `;
  const isSeen = (sentence: string) => {
    const words = wordsOf(sentence);
    if (words.length < MIN_WORDS) return false;
    // Descriptions are cut in the middle of a word.
    return seen.includes(` ${words.join(" ")} `) || seen.includes(` ${words.slice(0, -1).join(" ")} `);
  };
  return (text) => {
    if (isSeen(text)) return "";
    return text.replaceAll(SENTENCE, (sentence) => (isSeen(sentence) ? "" : sentence)).trim();
  };
}
