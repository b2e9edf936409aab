import { createHiddenList, type FoundHidden } from "./hiddenList.js";
import { openDocument } from "./pageDocument.js";
import { readAddressText } from "./readAddressText.js";
import { BLOCK_NAMES, readVisible } from "./readVisible.js";
import { splitMarkdown } from "./splitMarkdown.js";

/** Around the number of a piece of code: Unicode's word is that no text that travels holds this. */
const MARK = "\ufdd0";
const MARKED = /\ufdd0(\d+)\ufdd0/g;

export interface ShownMarkdown extends FoundHidden {
  readonly markdown: string;
  readonly isTruncated: boolean;
}

/**
 * Markdown as people see it where it is shown: without comments, elements and what they hide, definitions that nothing refers
 * to, titles of links and pictures. Code stays as it is.
 */
export function showMarkdown(source: string): ShownMarkdown {
  const codes: string[] = [];
  const keep = (code: string) => `${MARK}${codes.push(code) - 1}${MARK}`;
  const prose = splitMarkdown(source.replaceAll(MARK, ""))
    .map(({ isCode, text }) => (isCode ? keep(text) : text.replaceAll(VERBATIM, keep)))
    .join("")
    // Shown as one; patterns with blanks on both sides of something that may be missing would try every way to part them.
    .replaceAll(/[^\S\n]{20,}/g, (run) => run.slice(0, 20))
    .replaceAll(/\n{20,}/g, (run) => run.slice(0, 20));
  const asides = createHiddenList();
  const note = (carrier: string, text: string | undefined) =>
    asides.addAside({
      carrier,
      text: restore(text ?? "", codes),
      use: carrier === "alt" ? "label" : "other",
    });
  const seen = showElements(removeTitles(removeDefinitions(prose, note), note), (text) =>
    restore(text, codes),
  );
  const beside = asides.finish();
  return {
    markdown: restore(seen.markdown, codes),
    isTruncated: seen.isTruncated,
    hidden: [...beside.hidden, ...seen.hidden],
    hiddenWords: `${beside.hiddenWords} ${seen.hiddenWords}`,
  };
}

/** Code between rows of backticks of one length, within a paragraph, and addresses between angle brackets. */
const VERBATIM =
  /(?<![\\`])(`+)(?!`)(?:(?!\n\s*\n)[\s\S]){1,5000}?(?<!`)\1(?!`)|<(?:https?|mailto):[^\s<>]*>|<[\w.+-]+@[\w.-]+>/gi;

const restore = (text: string, codes: readonly string[]): string =>
  text.replaceAll(MARKED, (_, number: string) => codes[Number(number)] ?? "");

type Note = (carrier: string, text: string | undefined) => void;

const TITLE = "\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|\\((?:[^()\\\\]|\\\\.)*\\)";
/** CommonMark 4.7. Footnotes are no definitions. */
const DEFINITION = new RegExp(
  `^ {0,3}\\[(?!\\^)([^\\]\\n]{1,999})\\]:[ \\t]*\\n?[ \\t]*(<[^>\\n]*>|[^\\s<]\\S*)(?:(?:[ \\t]+|[ \\t]*\\n[ \\t]*)(${TITLE}))?[ \\t]*(?:\\n|$)`,
  "gm",
);
const labelOf = (text: string) => text.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** A definition that nothing refers to is how Markdown is commented, `[//]: # (…)`; a title is shown to a pointer only. */
function removeDefinitions(prose: string, note: Note): string {
  const rest = prose.replaceAll(DEFINITION, "\n");
  const used = new Set([...rest.matchAll(/\[([^[\]]{1,999})\]/g)].map(([, label = ""]) => labelOf(label)));
  return prose.replaceAll(DEFINITION, (_, label: string, target: string, title: string | undefined) => {
    note("title", title?.slice(1, -1));
    note("href", readAddressText(target));
    if (used.has(labelOf(label))) return `[${label}]: ${target}\n`;
    note("comment", `${label} ${target}`);
    return "\n";
  });
}

const TARGET = "(?:<[^<>\\n]*>|[^\\s()]*(?:\\([^\\s()]*\\)[^\\s()]*)*)";
const PICTURE = new RegExp(
  `!\\[((?:[^\\[\\]\\\\]|\\\\.)*)\\](?:\\(\\s*${TARGET}(?:\\s+(${TITLE}))?\\s*\\)|\\[[^\\[\\]]*\\])?`,
  "g",
);
const LINK = new RegExp(`\\]\\(\\s*(${TARGET})`, "g");
const TITLED_LINK = new RegExp(`(\\]\\(\\s*${TARGET})\\s+(${TITLE})\\s*\\)`, "g");

function removeTitles(prose: string, note: Note): string {
  for (const [, target = ""] of prose.matchAll(LINK)) note("href", readAddressText(target));
  return (
    prose
      .replaceAll(PICTURE, (_, alt: string, title: string | undefined) => {
        note("alt", alt);
        note("title", title?.slice(1, -1));
        return "";
      })
      .replaceAll(TITLED_LINK, (_, link: string, title: string) => {
        note("title", title.slice(1, -1));
        return `${link})`;
      })
      // A link around a picture has nothing left to show.
      .replaceAll(/\[\s*\]\([^()\n]*\)/g, "")
  );
}

/** CommonMark 6.6: what is a tag, a comment, an instruction or a declaration; any other `<` is only a sign. */
const ATTRIBUTE = "\\s+[a-z_:][\\w.:-]*(?:\\s*=\\s*(?:\"[^\"]*\"|'[^']*'|[^\\s\"'=<>`]+))?";
const MARKUP = new RegExp(
  `<!--[\\s\\S]*?(?:-->|$)|<\\?[\\s\\S]*?\\?>|<![a-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|</?([a-z][a-z0-9-]*)(?:${ATTRIBUTE})*\\s*/?>|[<&]`,
  "gi",
);

/** Takes out elements, with the words of those that people are not shown. */
function showElements(prose: string, restoreCode: (text: string) => string): ShownMarkdown {
  const html = prose.replaceAll(MARKUP, (markup: string, name: string | undefined) => {
    if (markup === "<") return "&lt;";
    if (markup === "&") return "&amp;";
    // Neither in a comment nor in a tag are backticks code.
    if (name === undefined) return restoreCode(markup);
    const isBlock = BLOCK_NAMES.has(name.toLowerCase());
    if (!isBlock && !/^(?:br|td|th)$/i.test(name)) return restoreCode(markup);
    const gap = /^t[dh]$/i.test(name) ? " " : "\n";
    return markup.startsWith("</") ? `${markup}${gap}` : `${gap}${restoreCode(markup)}`;
  });
  const document = openDocument(html);
  const { hidden, hiddenWords, isTruncated } = readVisible(document, restoreCode);
  return { markdown: document.body.textContent, isTruncated, hidden, hiddenWords };
}
