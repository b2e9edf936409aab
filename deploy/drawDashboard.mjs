const COLORS = ["#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"];
/** Of Grafana's grid: 24 columns; a row is 30 high. */
const [WIDTH, ROW] = [1440 / 24, 30];

const plain = (text) => String(text).replace(/[<&>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const nameOf = ({ metric, legendFormat }) =>
  (legendFormat ?? "").replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => metric[label] ?? "") ||
  Object.values(metric).join(" ") ||
  "value";

function format(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(2)} G`;
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)} k`;
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toPrecision(3);
}

/** The last value alone, as Grafana shows a panel of the type `stat`. */
function drawStat({ series }, width, height) {
  const last = Number(series[0]?.values.at(-1)?.[1] ?? Number.NaN);
  return `<text x="${width / 2}" y="${height / 2 + 14}" class="stat">${format(last)}</text>`;
}

function drawLines({ series }, width, height) {
  const lines = series.map((one) => ({
    name: nameOf(one),
    points: one.values
      .map(([at, value]) => [at, Number(value)])
      .filter(([, value]) => Number.isFinite(value)),
  }));
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0) return `<text x="${width / 2}" y="${height / 2}" class="none">No data</text>`;
  const times = points.map(([at]) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const values = points.map(([, value]) => value);
  const low = Math.min(0, ...values);
  const high = Math.max(...values) > low ? Math.max(...values) : low + 1;
  const [left, top, bottom] = [52, 8, 34];
  const x = (at) => left + ((at - first) / (last - first || 1)) * (width - left - 10);
  const y = (value) => height - bottom - ((value - low) / (high - low)) * (height - bottom - top);
  const rules = [0, 0.5, 1].map((share) => {
    const value = low + share * (high - low);
    return `<line x1="${left}" x2="${width - 10}" y1="${y(value)}" y2="${y(value)}" class="rule"/><text x="${left - 6}" y="${y(value) + 4}" class="scale">${format(value)}</text>`;
  });
  const paths = lines.map(
    ({ points: own }, at) =>
      `<polyline points="${own.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}" fill="none" stroke="${COLORS[at % COLORS.length]}" stroke-width="1.6"/>`,
  );
  const legend = lines
    .slice(0, 5)
    .map(({ name }, at) => `<tspan fill="${COLORS[at % COLORS.length]}">■ ${plain(name)}  </tspan>`)
    .join("");
  return `${rules.join("")}${paths.join("")}<text x="${left}" y="${height - 10}" class="legend">${legend}</text>`;
}

/** A page with every panel at its place, from its own series. */
export function drawDashboard(title, panels) {
  const drawn = panels.map((panel) => {
    const { x, y, w, h } = panel.gridPos;
    const [width, height] = [w * WIDTH - 8, h * ROW - 34];
    const body = panel.type === "stat" ? drawStat(panel, width, height) : drawLines(panel, width, height);
    return `<section style="left:${x * WIDTH + 4}px;top:${y * ROW + 50}px;width:${width}px"><h2>${plain(panel.title)}</h2><svg width="${width}" height="${height}">${body}</svg></section>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #f4f5f7; font: 12px sans-serif; color: #1f2937 }
    h1 { font-size: 18px; margin: 14px 10px }
    h2 { font-size: 12px; margin: 6px 8px 0 }
    section { position: absolute; background: #fff; border-radius: 4px }
    .stat { font-size: 34px; text-anchor: middle; fill: #059669 }
    .none { text-anchor: middle; fill: #9ca3af }
    .rule { stroke: #e5e7eb } .scale { font-size: 10px; text-anchor: end; fill: #6b7280 } .legend { font-size: 10px }
  </style><h1>${plain(title)}</h1>${drawn.join("")}`;
}
