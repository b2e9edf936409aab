import { readFileSync, writeFileSync } from "node:fs";

const PAGE = new URL("../../../../../docs/node-faults.md", import.meta.url);

const limitsOf = (name: string) => [
  `<!-- ${name}: written by npm run campaign:nodes -->`,
  `<!-- end of ${name} -->`,
];

/** A table of docs/node-faults.md that a campaign writes. */
export function readDocsTable(name: string): string {
  const page = readFileSync(PAGE, "utf8");
  const [begin = "", end = ""] = limitsOf(name);
  return page.slice(page.indexOf(begin) + begin.length, page.indexOf(end));
}

export function writeDocsTable(name: string, head: readonly string[], rows: readonly string[][]): void {
  const page = readFileSync(PAGE, "utf8");
  const [begin = "", end = ""] = limitsOf(name);
  if (!page.includes(begin) || !page.includes(end)) throw new Error(`the page has no place for ${name}`);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const table = lines.join("\n").replace(/^\|( --- \|)+$/m, (line) => line.replaceAll(" ", ""));
  const before = page.slice(0, page.indexOf(begin) + begin.length);
  writeFileSync(PAGE, `${before}\n\n${table}\n\n${page.slice(page.indexOf(end))}`);
}
