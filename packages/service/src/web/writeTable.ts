import type { DomElement } from "./pageDocument.js";

/** Wider and longer than tables that people read; a cell may claim to span more. */
const MAX_COLUMNS = 100;

/**
 * A table of GitHub's Markdown, or undefined for one that only lays out a page: with a table or a heading inside, or with a
 * single row or column. A header row is taken from the first row when it has header cells, else left empty.
 */
export function writeTable(table: DomElement, writeCell: (cell: DomElement) => string): string | undefined {
  if (table.getAttribute("role") === "presentation" || table.querySelector("table,h1,h2,h3,h4,h5,h6,pre"))
    return undefined;
  const rows = [...table.querySelectorAll("tr")]
    .map((row) => row.children.filter(({ localName }) => localName === "td" || localName === "th"))
    .filter((cells) => cells.length > 0);
  const columns = Math.min(MAX_COLUMNS, Math.max(0, ...rows.map(widthOf)));
  if (rows.length < 2 || columns < 2) return undefined;
  const [first = []] = rows;
  const hasHeader = first.every(
    ({ localName, parentNode }) => localName === "th" || parentNode?.parentNode?.localName === "thead",
  );
  const lines = rows.map((cells) => writeRow(cells, columns, writeCell));
  const empty = `|${"  |".repeat(columns)}`;
  const rule = `|${" --- |".repeat(columns)}`;
  return [...(hasHeader ? lines.slice(0, 1) : [empty]), rule, ...(hasHeader ? lines.slice(1) : lines)].join(
    "\n",
  );
}

const spanOf = (cell: DomElement) =>
  Math.min(MAX_COLUMNS, Math.max(1, Number.parseInt(cell.getAttribute("colspan") ?? "1", 10) || 1));
const widthOf = (cells: readonly DomElement[]) => cells.reduce((sum, cell) => sum + spanOf(cell), 0);

function writeRow(
  cells: readonly DomElement[],
  columns: number,
  writeCell: (cell: DomElement) => string,
): string {
  const texts = cells.flatMap((cell) => {
    const text = writeCell(cell)
      .trim()
      .replaceAll(/\s+/g, " ")
      .replaceAll(/(?<!\\)\|/g, "\\|");
    return [text, ...Array<string>(spanOf(cell) - 1).fill("")];
  });
  const padded = [...texts, ...Array<string>(Math.max(0, columns - texts.length)).fill("")].slice(0, columns);
  return `|${padded.map((text) => ` ${text} |`).join("")}`;
}
