import { MAX_MARKDOWN_BYTES } from "@assay/protocol";
import type { PageBlock } from "./types.js";

/** Room for the mark that states that the page continues. */
const RESERVED_BYTES = 64;

/** The first blocks that fit. Where the first one alone is too large, it is cut at a line end. */
export function boundMarkdown(
  blocks: readonly PageBlock[],
  text: string,
): { blocks: PageBlock[]; isCut: boolean } {
  let left = MAX_MARKDOWN_BYTES - RESERVED_BYTES;
  const fitting: PageBlock[] = [];
  for (const block of blocks) {
    const bytes = Buffer.byteLength(block.markdown) + 2;
    if (bytes > left) {
      if (fitting.length === 0) fitting.push(cutBlock(block, left, text));
      return { blocks: fitting, isCut: true };
    }
    left -= bytes;
    fitting.push(block);
  }
  return { blocks: fitting, isCut: false };
}

/** With the range of the words that are left. */
function cutBlock(block: PageBlock, bytes: number, text: string): PageBlock {
  const markdown = cutMarkdown(block.markdown, bytes);
  const left = countLetters(markdown);
  let end = block.start;
  for (let letters = 0; letters < left && end < block.end; end += 1)
    if (LETTER.test(text[end] ?? "")) letters += 1;
  return { ...block, markdown, end };
}

/** In UTF-16 code units; Markdown's own signs are none. */
const LETTER = /[^\s\p{P}\p{S}]/u;
const countLetters = (text: string) => text.split("").filter((unit) => LETTER.test(unit)).length;

function cutMarkdown(markdown: string, bytes: number): string {
  const [opening = ""] = /^`{3,}/.exec(markdown) ?? [];
  const room = bytes - opening.length - 3;
  // A character that was cut in the middle decodes to the replacement character.
  const start = Buffer.from(markdown)
    .subarray(0, room)
    .toString("utf8")
    .replace(/\ufffd+$/, "");
  const lineEnd = start.lastIndexOf("\n");
  const whole = lineEnd > start.length / 2 ? start.slice(0, lineEnd) : start;
  return opening === "" ? whole : `${whole}\n${opening}`;
}
