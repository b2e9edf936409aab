/** Strings that `content` puts before or after elements (CSS Generated Content), one for each declaration. */
export function listGeneratedText(css: string): string[] {
  const plain = css.replaceAll(/\/\*.*?(?:\*\/|$)/gs, "");
  return [...plain.matchAll(DECLARATION)].flatMap(([declaration]) => {
    const strings = declaration.match(STRING) ?? [];
    const text = strings.map((string) => unescapeCss(string.slice(1, -1))).join("");
    // An icon of a font is one character.
    return text.length > 1 ? [text] : [];
  });
}

const STRING = /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/g;
/** The name may be written with escapes: `\63ontent`. */
const DECLARATION =
  /(?<![\w-])(?:c|\\0{0,4}63 ?)(?:o|\\0{0,4}6f ?)ntent\s*:(?:"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|[^;}"'])*/gi;

/** CSS Syntax, section 4.3.7: up to six hexadecimal digits and one blank, or the character itself. */
const unescapeCss = (text: string) =>
  text.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|(\n)|([\s\S]))/gi,
    (_, hex?: string, line?: string, own?: string) => {
      if (hex === undefined) return line === undefined ? (own ?? "") : "";
      const code = Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    },
  );
