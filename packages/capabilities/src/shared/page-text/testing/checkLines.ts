import { checkClaim } from "../checkClaim.js";
import type { TextBlock } from "../listComposed.js";

/** A claim against a page of such blocks: "- " marks an item and "# " a heading. */
export function checkLines(claim: string, lines: readonly string[]) {
  let text = "";
  const blocks = lines.map((line): TextBlock => {
    const own = line.replace(/^[-#] /, "");
    if (text !== "") text += "\n\n";
    const start = text.length;
    text += own;
    const kind = line.startsWith("- ") ? "item" : line.startsWith("# ") ? "heading" : "other";
    return { start, end: text.length, kind };
  });
  return checkClaim(claim, text, blocks);
}
