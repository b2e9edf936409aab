import type { DomElement } from "./dom.js";

/** More than in any table that people read; a cell may claim to span more. */
const MAX_COLUMNS = 100;

/** A table in Markdown: its lines, each with the row that it shows; null for lines that the notation adds. */
export type TableLine = { readonly line: string; readonly row: readonly DomElement[] | null };

/**
 * The rows of a table; none for a layout table: one with a table, a heading or code inside, or with a single row or column.
 */
export function listTableRows(table: DomElement): DomElement[][] {
  if (
    table.getAttribute("role") === "presentation" ||
    table.listInside("table", "h1", "h2", "h3", "h4", "h5", "h6", "pre").length > 0
  )
    return [];
  const rows = table
    .listInside("tr")
    .map((row) => row.children.filter(({ localName }) => localName === "td" || localName === "th"))
    .filter((cells) => cells.length > 0);
  return rows.length < 2 || placeCells(rows).every(({ length }) => length < 2) ? [] : rows;
}

/**
 * Writes a table in GitHub's Markdown; undefined for a layout table. The first row is the header where it has header cells;
 * otherwise the header is empty.
 */
export function writeTable(
  table: DomElement,
  writeCell: (cell: DomElement) => string,
): TableLine[] | undefined {
  const rows = listTableRows(table);
  if (rows.length === 0) return undefined;
  const grid = placeCells(rows);
  const columns = Math.min(MAX_COLUMNS, Math.max(0, ...grid.map(({ length }) => length)));
  const [first = []] = rows;
  const hasHeader = first.every(
    ({ localName, parentNode }) => localName === "th" || parentNode?.parentNode?.localName === "thead",
  );
  const lines = grid.map((cells, index) => ({
    line: writeRow(cells, columns, writeCell),
    row: rows[index] ?? [],
  }));
  const empty = { line: `|${"  |".repeat(columns)}`, row: null };
  const rule = { line: `|${" --- |".repeat(columns)}`, row: null };
  return hasHeader ? [...lines.slice(0, 1), rule, ...lines.slice(1)] : [empty, rule, ...lines];
}

const spanOf = (cell: DomElement, name: "colspan" | "rowspan", max: number) => {
  const given = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  // HTML, section 4.9.11: a rowspan of zero extends to the last row.
  if (name === "rowspan" && given === 0) return max;
  return Math.min(max, Math.max(1, given || 1));
};

/** Each cell in its first column and row; the other places that it spans are null, and so are empty places. */
function placeCells(rows: readonly (readonly DomElement[])[]): (DomElement | null)[][] {
  const grid: (DomElement | null)[][] = rows.map(() => []);
  /** For each column, how many more rows the cell above spans. */
  const reach: number[] = [];
  rows.forEach((cells, index) => {
    const row = grid[index] ?? [];
    const skip = () => {
      while (row.length < MAX_COLUMNS && (reach[row.length] ?? 0) > 0) {
        reach[row.length] = (reach[row.length] ?? 0) - 1;
        row.push(null);
      }
    };
    for (const cell of cells) {
      skip();
      const down = spanOf(cell, "rowspan", rows.length - index);
      for (let at = 0; at < spanOf(cell, "colspan", MAX_COLUMNS) && row.length < MAX_COLUMNS; at++) {
        reach[row.length] = down - 1;
        row.push(at === 0 ? cell : null);
      }
    }
    while (row.length < reach.length) {
      if ((reach[row.length] ?? 0) > 0) skip();
      else row.push(null);
    }
  });
  return grid;
}

function writeRow(
  cells: readonly (DomElement | null)[],
  columns: number,
  writeCell: (cell: DomElement) => string,
): string {
  const texts = cells.map((cell) =>
    cell === null
      ? ""
      : writeCell(cell)
          .trim()
          .replaceAll(/\s+/g, " ")
          .replaceAll(/(?<!\\)\|/g, "\\|"),
  );
  const padded = [...texts, ...Array<string>(Math.max(0, columns - texts.length)).fill("")].slice(0, columns);
  return `|${padded.map((text) => ` ${text} |`).join("")}`;
}
