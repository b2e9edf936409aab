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

/**
 * Writes rows whose first cells are names. Those of `names` that are not among them stay as they are, so that a campaign may be run in
 * parts (`-t`).
 */
export function writeDocsTable(
  name: string,
  head: readonly string[],
  rows: readonly string[][],
  names: readonly string[],
): void {
  const page = readFileSync(PAGE, "utf8");
  const [begin = "", end = ""] = limitsOf(name);
  if (!page.includes(begin) || !page.includes(end)) throw new Error(`the page has no place for ${name}`);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const former = readDocsTable(name).split("\n");
  const known = names.flatMap((of) => {
    const row = rows.find(([first]) => first === of);
    return row ? [line(row)] : former.filter((one) => one.startsWith(`| ${of} |`));
  });
  const rule = `|${head.map(() => "---|").join("")}`;
  const before = page.slice(0, page.indexOf(begin) + begin.length);
  const table = [line(head), rule, ...known].join("\n");
  writeFileSync(PAGE, `${before}\n\n${table}\n\n${page.slice(page.indexOf(end))}`);
}
