import { expect, test } from "vitest";
import { boundMarkdown } from "./boundMarkdown.js";

test("a block that is cut cites only the words that are left of it", () => {
  const text = `before\n\n${"grind = barley\n".repeat(20_000)}`;
  const start = "before\n\n".length;
  const markdown = `\`\`\`\n${text.slice(start).trimEnd()}\n\`\`\``;
  const { blocks, isCut } = boundMarkdown([{ markdown, start, end: text.length - 1, isTight: false }], text);
  const [block] = blocks;
  expect(isCut).toBe(true);
  expect(block?.end).toBeLessThan(text.length / 2);
  expect(block?.markdown).toBe(`\`\`\`\n${text.slice(start, block?.end)}\n\`\`\``);
});
