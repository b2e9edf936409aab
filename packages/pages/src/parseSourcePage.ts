import { findAgentInstruction, MAX_PAGE_TEXT_CHARACTERS } from "@assay/protocol";
import { boundHidden } from "./boundHidden.js";
import { boundMarkdown } from "./boundMarkdown.js";
import { removeInvisible } from "./invisibleCharacters.js";
import { listStrings } from "./listAsides.js";
import { listSmuggled } from "./listSmuggled.js";
import { readTerminalText } from "./readTerminalText.js";
import { showMarkdown } from "./showMarkdown.js";
import type { HiddenText, PageBlock, ParsedPage } from "./types.js";
import { fence } from "./writeMarkdown.js";

/** Longer paragraphs are split at a line end, so that a citation stays a passage. */
const MAX_BLOCK_CHARACTERS = 4_000;

/** Parses a page that is shown as its source: plain text, Markdown or JSON. */
export function parseSourcePage(source: string, contentType: string): ParsedPage {
  const isMarkdown = /markdown/.test(contentType);
  const isCode = /json/.test(contentType);
  const terminal = readTerminalText(source.replaceAll(/\r\n?/g, "\n"));
  const clean = removeInvisible(terminal.text);
  const seen = isMarkdown
    ? showMarkdown(clean)
    : { markdown: clean, isTruncated: false, hidden: [], hiddenWords: "" };
  const hidden: HiddenText[] = [
    ...listSmuggled(source).map((text) => ({ kind: "invisible_characters", text }) as const),
    ...terminal.hidden.filter(
      ({ kind, text }) => kind !== "comment_like" || findAgentInstruction(text) !== null,
    ),
    ...seen.hidden,
    ...(isCode ? listEscaped(source) : []),
  ];
  const found = {
    hidden,
    hiddenWords: [...terminal.hidden.map(({ text }) => text), seen.hiddenWords].join(" "),
  };
  const whole = trimLines(seen.markdown).replace(/^\n+/, "").trimEnd();
  const text = whole.slice(0, MAX_PAGE_TEXT_CHARACTERS).replace(/\p{Cs}$/u, "");
  const blocks = listParagraphs(text, isMarkdown).map(({ start, end }): PageBlock => {
    const words = text.slice(start, end);
    const markdown = isCode ? fence(words, "json").trim() : isMarkdown ? disarm(words) : escapePlain(words);
    return { markdown, start, end, isTight: false };
  });
  const bounded = boundMarkdown(blocks, text);
  const excerpts = boundHidden(found);
  return {
    title: isMarkdown ? (/^#\s+(.+)$/m.exec(text)?.[1]?.trim().slice(0, 300) ?? null) : null,
    language: null,
    text,
    blocks: bounded.blocks,
    extraction: "source",
    isTruncated: seen.isTruncated || bounded.isCut || text.length < whole.length,
    isScriptOnly: false,
    links: [],
    hidden: excerpts,
    hiddenCount: Math.max(hidden.length, excerpts.length),
    isShownByScripts: false,
    unreadStyles: { externalSheets: 0, isIncomplete: false, doubts: [] },
  };
}

/** Hidden text in the escapes of a JSON document's strings: orders to an agent, and characters that are not shown. */
function listEscaped(source: string): HiddenText[] {
  const escaped = listStrings(source).filter((text) => !source.includes(JSON.stringify(text)));
  return [
    ...escaped
      .filter((text) => !source.includes(text) && findAgentInstruction(text) !== null)
      .map((text) => ({ kind: "comment_like", text }) as const),
    ...listSmuggled(escaped.join("\n")).map((text) => ({ kind: "invisible_characters", text }) as const),
  ];
}

/** A pattern for blanks before a line end would take time that grows with the square of their number. */
const trimLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");

/** The paragraphs of a text; in Markdown a fenced code block stays whole. */
function listParagraphs(text: string, isMarkdown: boolean): { start: number; end: number }[] {
  const paragraph = isMarkdown
    ? /(?:^|\n)(`{3,}|~{3,})[^\n]*\n[\s\S]*?\n\1[^\n]*|(?:(?!\n\n)[\s\S])+/g
    : /(?:(?!\n\n)[\s\S])+/g;
  return [...text.matchAll(paragraph)].flatMap((match) => {
    const lead = /^\n*/.exec(match[0])?.[0].length ?? 0;
    return splitLong(text, match.index + lead, match.index + match[0].length);
  });
}

/** The parts of a range that are short enough for a citation. */
export function splitLong(text: string, from: number, to: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  for (let start = from; start < to; ) {
    let end = Math.min(start + MAX_BLOCK_CHARACTERS, to);
    if (end < to) {
      const lineEnd = text.lastIndexOf("\n", end);
      const wordEnd = text.lastIndexOf(" ", end);
      if (lineEnd > start) end = lineEnd;
      else if (wordEnd > start) end = wordEnd;
      else if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end -= 1;
    }
    if (text.slice(start, end).trim() !== "") parts.push({ start, end });
    start = /\s/.test(text[end] ?? "") ? end + 1 : end;
  }
  return parts;
}

/** Inline code, which stays as it is, or a sign that starts a picture or a tag. */
const CODE_OR_SIGN = /(?<![\\`])(`+)(?!`)[\s\S]{1,5000}?(?<!`)\1(?!`)|!\[|<(?!https?:|mailto:)/g;

/** The author's Markdown without pictures and tags. */
function disarm(markdown: string): string {
  const isCode = /^(`{3,}|~{3,})/.test(markdown) || /^(?:(?: {4}|\t).*(?:\n|$))+$/.test(markdown);
  if (isCode) return markdown;
  return markdown.replaceAll(CODE_OR_SIGN, (found) => (found === "![" ? "[" : found === "<" ? "\\<" : found));
}

/** Escapes every sign that has a meaning in Markdown. */
export const escapePlain = (text: string) =>
  text
    .replaceAll(/[\\`*_[\]<~|]/g, "\\$&")
    .replaceAll(/^([^\S\n]*)([#>+=-])/gm, "$1\\$2")
    .replaceAll(/^([^\S\n]*\d+)([.)])/gm, "$1\\$2");
