/** Shorter pieces stand on a page by chance; an order could be put together from them. */
const MIN_WORDS = 5;
const SENTENCE = /[^.!?。！？\n]+[.!?。！？\n]*/g;

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns a function that removes from a text the sentences that people see on the page anyway: an article's own words in its
 * metadata, in a copy for small screens or behind a button are not hidden.
 */
export function createSeenRemover(seenText: string): (text: string) => string {
  let words: string | undefined;
  /** Most pages hide nothing, so nobody asks. */
  const isOnPage = (phrase: string) => {
    words ??= ` ${wordsOf(seenText).join(" ")} `;
    return words.includes(` ${phrase} `);
  };
  const isSeen = (sentence: string) => {
    const own = wordsOf(sentence);
    if (own.length < MIN_WORDS) return false;
    // Descriptions are cut in the middle of a word.
    return isOnPage(own.join(" ")) || isOnPage(own.slice(0, -1).join(" "));
  };
  return (text) => {
    if (isSeen(text)) return "";
    return text.replaceAll(SENTENCE, (sentence) => (isSeen(sentence) ? "" : sentence)).trim();
  };
}
