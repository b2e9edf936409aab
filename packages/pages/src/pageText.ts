import { MAX_PAGE_TEXT_CHARACTERS } from "@assay/protocol";
import type { DomNode, DomText } from "./dom.js";

/** Range in the page text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The separators between two pieces of text, by rank; the higher rank wins. */
const SEPARATORS = ["", " ", "\t", "\n", "\n\n"] as const;
const SPACE = 1;
export const CELL = 2;
export const LINE = 3;
export const BLOCK = 4;

export interface PageText {
  separate(rank: number): void;
  /** Returns false when the text is full: neither this node nor any later one is part of it. */
  write(node: DomText, isPre: boolean, isStruck?: boolean): boolean;
  /** Whether the next text directly follows a letter, a digit or a bracket. */
  isInWord(): boolean;
  finish(): WrittenText;
}

export interface WrittenText {
  /** Blocks are separated by an empty line, lines by a line end, cells by a tab, words by one space; ~~struck out~~. */
  readonly text: string;
  /** The range of each text node's words in the text. */
  readonly ranges: ReadonlyMap<DomNode, TextRange>;
  readonly isTruncated: boolean;
}

/** Joins the text that people see, node by node, and records the range of each node's words. */
export function createPageText(): PageText {
  const ranges = new Map<DomNode, TextRange>();
  let text = "";
  let rank = 0;
  /** Blanks at the end of preformatted text, which count if more of it follows. */
  let blanks = "";
  let isTruncated = false;

  function put(node: DomText, words: string, separator: string, mark: string): boolean {
    const start = text.length + separator.length + mark.length;
    const room = MAX_PAGE_TEXT_CHARACTERS - start - mark.length;
    if (isTruncated || room <= 0) {
      isTruncated = true;
      return false;
    }
    const fitting = words.length <= room ? words : cutAt(words, room);
    if (fitting !== words) {
      isTruncated = true;
      node.data = fitting;
    }
    text += separator + mark + fitting;
    ranges.set(node, { start, end: text.length });
    text += mark;
    rank = 0;
    return true;
  }

  return {
    separate(next) {
      rank = Math.max(rank, next);
    },
    isInWord: () => rank === 0 && blanks === "" && /[\p{L}\p{N})]$/u.test(text.slice(-2)),
    write(node, isPre, isStruck = false) {
      const mark = isStruck ? "~~" : "";
      const plain = node.data.replaceAll(/\r\n?/g, "\n").replaceAll(/[\u00a0\u2007\u202f]/g, " ");
      const words = plain.trim();
      const lead = plain.slice(0, plain.length - plain.trimStart().length);
      const tail = words === "" ? "" : plain.slice(plain.trimEnd().length);
      if (isPre && rank < LINE) {
        if (words === "") blanks += lead;
        else if (!put(node, words, blanks + lead, mark)) return false;
        else blanks = tail;
        return true;
      }
      if (!isPre && lead !== "") rank = Math.max(rank, SPACE);
      if (words === "") return true;
      const separator = text === "" ? "" : (SEPARATORS[rank] ?? "");
      const written = isPre
        ? put(node, lead.replace(/^.*\n/s, "") + words, separator, mark)
        : put(node, words.replaceAll(/\s+/g, " "), separator, mark);
      blanks = isPre ? tail : "";
      if (!isPre && tail !== "") rank = SPACE;
      return written;
    },
    finish: () => ({ text, ranges, isTruncated }),
  };
}

/** At the last space that fits, else between two characters. */
function cutAt(words: string, room: number): string {
  const space = words.lastIndexOf(" ", room);
  return words.slice(0, space > 0 ? space : room).replace(/\p{Cs}$/u, "");
}
