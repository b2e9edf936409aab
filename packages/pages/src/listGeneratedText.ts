const COMMENT = /\/\*(.*?)(?:\*\/|$)/gs;

/** The strings in each declaration, joined: `content`, `quotes`, list markers, custom properties. */
export function listGeneratedText(css: string): string[] {
  const plain = css.replaceAll(COMMENT, "");
  return [...plain.matchAll(DECLARATION)].flatMap(([declaration]) => {
    const strings = declaration.match(STRING) ?? [];
    const text = strings.map((string) => unescapeCss(string.slice(1, -1))).join("");
    // One character is an icon of a font.
    return text.length > 1 ? [text] : [];
  });
}

/** The same, with comments. */
export const listStyleText = (css: string): string[] => [
  ...[...css.matchAll(COMMENT)].map(([, text = ""]) => text),
  ...listGeneratedText(css),
];

const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/g;
const DECLARATION = /(?:"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|[^;{}"'])+/g;

/** CSS Syntax 3, section 4.3.7: up to six hexadecimal digits and one blank, or the character itself. */
const unescapeCss = (text: string) =>
  text.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|(\n)|([\s\S]))/gi,
    (_, hex?: string, line?: string, own?: string) => {
      if (hex === undefined) return line === undefined ? (own ?? "") : "";
      const code = Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    },
  );
