/** A part of Markdown: code, which is shown as it is written, or anything else. */
export interface MarkdownPart {
  readonly isCode: boolean;
  readonly text: string;
}

/** CommonMark 4.5: a row of backticks is not a fence if more backticks follow on its line. */
const FENCE = /^ {0,3}(?:(`{3,})[^`\n]*|(~{3,}).*)$/;
const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {4}|\t)\s*\S/;

/** Splits Markdown into fenced or indented code and the rest; the parts joined are the source. */
export function splitMarkdown(source: string): MarkdownPart[] {
  const parts: { isCode: boolean; lines: string[] }[] = [];
  const add = (line: string, isCode: boolean) => {
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.lines.push(line);
    else parts.push({ isCode, lines: [line] });
  };
  let fence: string | undefined;
  let isAfterBlank = true;
  /** Indented text below a list belongs to its items. */
  let isInList = false;
  for (const line of source.split(/(?<=\n)/)) {
    const text = line.replace(/\n$/, "");
    if (fence !== undefined) {
      add(line, true);
      if (closes(text, fence)) fence = undefined;
      isAfterBlank = false;
      continue;
    }
    const [, ticks, tildes] = FENCE.exec(text) ?? [];
    fence = ticks ?? tildes;
    const isIndented = !isInList && INDENTED.test(text) && (isAfterBlank || parts.at(-1)?.isCode === true);
    add(line, fence !== undefined || isIndented);
    if (LIST_ITEM.test(text)) isInList = true;
    else if (/^\S/.test(text) && isAfterBlank) isInList = false;
    isAfterBlank = text.trim() === "";
  }
  return parts.map(({ isCode, lines }) => ({ isCode, text: lines.join("") }));
}

function closes(line: string, fence: string): boolean {
  const row = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? "";
  return row[0] === fence[0] && row.length >= fence.length;
}
