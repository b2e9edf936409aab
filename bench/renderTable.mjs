const heading = ["", "unit", "peer", "peer tuned", "Assay", "ratio", "target", "reached"];

/** The figures as text in columns. */
export function renderTable(figures) {
  return renderColumns([heading, ...figures.map(toCells)]);
}

function renderColumns(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const render = (cells) =>
    cells
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [render(lines[0]), rule, ...lines.slice(1).map(render)].join("\n");
}

/** Assay beside an earlier state of it. */
export function renderChanges(changes) {
  const cells = changes.map(({ title, unit, before, assay, ratio, isWorse }) => [
    ...[title, unit, format(before), format(assay)],
    ...(Number.isFinite(ratio) ? [`${ratio.toFixed(2)} ×`, isWorse ? "WORSE" : ""] : ["", ""]),
  ]);
  return renderColumns([["", "unit", "before", "Assay", "ratio", "by more than 5 %"], ...cells]);
}

function toCells(figure) {
  const { title, unit, peer, tuned, assay, against, ratio, isReached } = figure;
  return [
    title,
    unit,
    ...[peer, tuned, assay].map(format),
    ratio === undefined || Number.isNaN(ratio) ? "" : `${ratio.toFixed(2)} × ${against}`,
    describeTarget(figure),
    isReached === undefined ? "" : isReached ? "yes" : "NO",
  ];
}

function describeTarget({ target, against }) {
  if (!target) return "";
  const limit = target.atLeast === undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  return against === undefined ? limit : `${limit} × ${against}`;
}

function format(value) {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
