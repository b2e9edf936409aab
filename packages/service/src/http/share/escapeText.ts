const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * A stranger's text without what deceives: characters that no XML may hold would keep a picture from being drawn, those that
 * turn the direction of writing could show other words than are there, and a heap of marks on one letter could cover others.
 * Two marks are enough for every language that is written with letters.
 */
export const plainText = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[^\P{C}\n\t]/gu, "")
    .replace(/(\p{M}{2})\p{M}+/gu, "$1");

/** Text of a contract or of a page as text of HTML or SVG, in an attribute too. */
export const escapeText = (text: string): string =>
  plainText(text).replace(/[&<>"']/g, (character) => escapes[character] as string);
