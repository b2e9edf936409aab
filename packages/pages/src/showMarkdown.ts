import { createHiddenList, type FoundHidden } from "./hiddenList.js";
import { openDocument } from "./pageDocument.js";
import { readAddressText } from "./readAddressText.js";
import { BLOCK_NAMES, readVisible } from "./readVisible.js";
import { splitMarkdown } from "./splitMarkdown.js";

/** Marks the number of a piece of code: a Unicode noncharacter, which interchanged text does not contain. */
const MARK = "\ufdd0";
const MARKED = /\ufdd0(\d+)\ufdd0/g;

export interface ShownMarkdown extends FoundHidden {
  readonly markdown: string;
  readonly isTruncated: boolean;
}

/**
 * Markdown as people see it when it is rendered: without comments, elements and what they hide, unused definitions, and titles
 * of links and pictures. Code stays as it is.
 */
export function showMarkdown(source: string): ShownMarkdown {
  const codes: string[] = [];
  const keep = (code: string) => `${MARK}${codes.push(code) - 1}${MARK}`;
  const prose = splitMarkdown(source.replaceAll(MARK, ""))
    .map(({ isCode, text }) => (isCode ? keep(text) : text.replaceAll(VERBATIM, keep)))
    .join("")
    // Long runs are rendered as one blank; patterns with optional parts between blanks would try every way to split them.
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
  const beside = asides.finish(seen.markdown);
  return {
    markdown: restore(seen.markdown, codes),
    isTruncated: seen.isTruncated,
    hidden: [...beside.hidden, ...seen.hidden],
    hiddenWords: `${beside.hiddenWords} ${seen.hiddenWords}`,
  };
}

/** Inline code between backticks, within a paragraph, and addresses between angle brackets. */
const VERBATIM =
  /(?<![\\`])(`+)(?!`)(?:(?!\n\s*\n)[\s\S]){1,5000}?(?<!`)\1(?!`)|<(?:https?|mailto):[^\s<>]*>|<[\w.+-]+@[\w.-]+>/gi;

const restore = (text: string, codes: readonly string[]): string =>
  text.replaceAll(MARKED, (_, number: string) => codes[Number(number)] ?? "");

type Note = (carrier: string, text: string | undefined) => void;

const TITLE = "\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|\\((?:[^()\\\\]|\\\\.)*\\)";
/** CommonMark 4.7. Footnotes are not definitions. */
const DEFINITION = new RegExp(
  `^ {0,3}\\[(?!\\^)([^\\]\\n]{1,999})\\]:[ \\t]*\\n?[ \\t]*(<[^>\\n]*>|[^\\s<]\\S*)(?:(?:[ \\t]+|[ \\t]*\\n[ \\t]*)(${TITLE}))?[ \\t]*(?:\\n|$)`,
  "gm",
);
const labelOf = (text: string) => text.trim().replaceAll(/\s+/g, " ").toLowerCase();

/** An unused definition, `[//]: # (…)`, is Markdown's way to write a comment; a title is shown only under a pointer. */
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
      // A link that held only a picture is empty now.
      .replaceAll(/\[\s*\]\([^()\n]*\)/g, "")
  );
}

/** CommonMark 6.6: tags, comments, instructions and declarations; any other `<` is only a character. */
const ATTRIBUTE = "\\s+[a-z_:][\\w.:-]*(?:\\s*=\\s*(?:\"[^\"]*\"|'[^']*'|[^\\s\"'=<>`]+))?";
const MARKUP = new RegExp(
  `<!--[\\s\\S]*?(?:-->|$)|<\\?[\\s\\S]*?\\?>|<![a-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>|</?([a-z][a-z0-9-]*)(?:${ATTRIBUTE})*\\s*/?>|[<&]`,
  "gi",
);

/** Removes elements, with the words of those that people are not shown. */
function showElements(prose: string, restoreCode: (text: string) => string): ShownMarkdown {
  const html = prose.replaceAll(MARKUP, (markup: string, name: string | undefined) => {
    if (markup === "<") return "&lt;";
    if (markup === "&") return "&amp;";
    // Backticks are not code inside a comment or a tag.
    if (name === undefined) return restoreCode(markup);
    const isBlock = BLOCK_NAMES.has(name.toLowerCase());
    if (!isBlock && !/^(?:br|td|th)$/i.test(name)) return restoreCode(markup);
    const gap = /^t[dh]$/i.test(name) ? " " : "\n";
    return markup.startsWith("</") ? `${markup}${gap}` : `${gap}${restoreCode(markup)}`;
  });
  const document = openDocument(html);
  const { hidden, hiddenWords, isTruncated } = readVisible(document, { restore: restoreCode });
  return { markdown: document.body.textContent, isTruncated, hidden, hiddenWords };
}
