import { MAX_PAGE_TEXT_CHARACTERS } from "@assay/protocol";
import type { DomNode, DomText } from "./dom.js";

/** Range in the page text, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Rank of what stands between two pieces of text; the higher one wins. */
const SEPARATORS = ["", " ", "\t", "\n", "\n\n"] as const;
const SPACE = 1;
export const CELL = 2;
export const LINE = 3;
export const BLOCK = 4;

export interface PageText {
  separate(rank: number): void;
  /** Returns false when the text is full: nothing of the node, or of any later one, is part of it. */
  write(node: DomText, isPre: boolean, isStruck?: boolean): boolean;
  /** Whether what is written next stands right after a letter, a digit or a bracket. */
  isInWord(): boolean;
  finish(): WrittenText;
}

export interface WrittenText {
  /** Blocks apart by an empty line, lines within one by a line end, cells by a tab, words by one space; ~~struck out~~. */
  readonly text: string;
  /** Where the words of each text node stand in the text. */
  readonly ranges: ReadonlyMap<DomNode, TextRange>;
  readonly isTruncated: boolean;
}

/** Puts the text that people see together, node by node, and remembers where the words of each came to stand. */
export function createPageText(): PageText {
  const ranges = new Map<DomNode, TextRange>();
  let text = "";
  let rank = 0;
  /** Blanks of preformatted text that are part of it if more of it follows. */
  let blanks = "";
  let isTruncated = false;

  function put(node: DomText, said: string, separator: string, mark: string): boolean {
    const start = text.length + separator.length + mark.length;
    const room = MAX_PAGE_TEXT_CHARACTERS - start - mark.length;
    if (isTruncated || room <= 0) {
      isTruncated = true;
      return false;
    }
    const fitting = said.length <= room ? said : cutAt(said, room);
    if (fitting !== said) {
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
    separate(given) {
      rank = Math.max(rank, given);
    },
    isInWord: () => rank === 0 && blanks === "" && /[\p{L}\p{N})]$/u.test(text.slice(-2)),
    write(node, isPre, isStruck = false) {
      const mark = isStruck ? "~~" : "";
      const plain = node.data.replaceAll(/\r\n?/g, "\n").replaceAll(/[\u00a0\u2007\u202f]/g, " ");
      const said = plain.trim();
      const lead = plain.slice(0, plain.length - plain.trimStart().length);
      const tail = said === "" ? "" : plain.slice(plain.trimEnd().length);
      if (isPre && rank < LINE) {
        if (said === "") blanks += lead;
        else if (!put(node, said, blanks + lead, mark)) return false;
        else blanks = tail;
        return true;
      }
      if (!isPre && lead !== "") rank = Math.max(rank, SPACE);
      if (said === "") return true;
      const separator = text === "" ? "" : (SEPARATORS[rank] ?? "");
      const written = isPre
        ? put(node, lead.replace(/^.*\n/s, "") + said, separator, mark)
        : put(node, said.replaceAll(/\s+/g, " "), separator, mark);
      blanks = isPre ? tail : "";
      if (!isPre && tail !== "") rank = SPACE;
      return written;
    },
    finish: () => ({ text, ranges, isTruncated }),
  };
}

/** At the last space that fits, else between two characters. */
function cutAt(said: string, room: number): string {
  const space = said.lastIndexOf(" ", room);
  return said.slice(0, space > 0 ? space : room).replace(/\p{Cs}$/u, "");
}
