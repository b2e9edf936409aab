const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text of a contract or of a page as text of HTML or SVG, in an attribute too. Characters that no XML may hold would keep a
 * picture from being drawn, and those that turn the direction of writing could show other words than are there.
 */
export const escapeText = (text: string): string =>
  text.replace(/[^\P{C}\n\t]/gu, "").replace(/[&<>"']/g, (character) => escapes[character] as string);
