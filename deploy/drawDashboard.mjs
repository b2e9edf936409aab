const COLORS = ["#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#be185d", "#4d7c0f"];
/** Of Grafana's grid: 24 columns; a row is 30 high. */
const [WIDTH, ROW] = [1440 / 24, 30];

const plain = (text) => String(text).replace(/[<&>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const nameOf = ({ metric, legendFormat }) =>
  (legendFormat ?? "").replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => metric[label] ?? "") ||
  Object.values(metric).join(" ") ||
  "value";

const scaled = (value, base, names) => {
  let at = 0;
  let rest = value;
  for (; Math.abs(rest) >= base && at < names.length - 1; at++) rest /= base;
  const digits = Math.abs(rest) >= 100 || Number.isInteger(rest) ? 0 : Math.abs(rest) >= 10 ? 1 : 2;
  return `${Number(rest.toFixed(digits))}${names[at]}`;
};
const seconds = (value) =>
  Math.abs(value) >= 3600
    ? `${(value / 3600).toFixed(1)} h`
    : Math.abs(value) >= 60
      ? `${(value / 60).toFixed(1)} min`
      : Math.abs(value) >= 1 || value === 0
        ? `${Number(value.toFixed(1))} s`
        : `${Math.round(value * 1000)} ms`;

/** In the unit of the panel, by the names that Grafana has for units. */
const units = {
  short: (value) => scaled(value, 1000, ["", " K", " Mil", " Bil"]),
  ops: (value) => `${scaled(value, 1000, ["", " K", " M"])}/s`,
  bytes: (value) => scaled(value, 1024, [" B", " KiB", " MiB", " GiB", " TiB"]),
  currencyUSD: (value) => `${value < 0 ? "-" : ""}$${Math.abs(value).toFixed(2)}`,
  percentunit: (value) => `${Number((value * 100).toFixed(1))} %`,
  s: seconds,
};
const defaultsOf = ({ fieldConfig }) => fieldConfig?.defaults ?? {};

function formatOf(panel) {
  const { unit = "short" } = defaultsOf(panel);
  if (!units[unit]) throw new Error(`no way to draw the unit ${unit} of "${panel.title}"`);
  return (value) => (Number.isFinite(value) ? units[unit](value) : "–");
}

/** The last value alone, as Grafana shows a panel of the type `stat`. */
function drawStat(panel, width, height) {
  const last = Number(panel.series[0]?.values.at(-1)?.[1] ?? Number.NaN);
  const steps = defaultsOf(panel).thresholds?.steps ?? [];
  const color = steps.findLast(({ value }) => value === null || last >= value)?.color ?? "green";
  return `<text x="${width / 2}" y="${height / 2 + 14}" class="stat ${color}">${formatOf(panel)(last)}</text>`;
}

const clock = (at) => new Date(at * 1000).toISOString().slice(11, 19);

function drawLines(panel, width, height) {
  const { series } = panel;
  const format = formatOf(panel);
  const lines = series.map((one) => ({
    name: nameOf(one),
    points: one.values
      .map(([at, value]) => [at, Number(value)])
      .filter(([, value]) => Number.isFinite(value)),
  }));
  const points = lines.flatMap((line) => line.points);
  if (points.length === 0)
    return `<text x="${width / 2}" y="${height / 2}" class="none">${plain(defaultsOf(panel).noValue ?? "No data")}</text>`;
  const [first, last] = panel.period;
  const values = points.map(([, value]) => value);
  const low = Math.min(0, ...values);
  const high = Math.max(...values) > low ? Math.max(...values) : low + 1;
  const [left, top, bottom] = [64, 8, 46];
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
  const { thresholds, custom } = defaultsOf(panel);
  const limits = (custom?.thresholdsStyle ? (thresholds?.steps ?? []) : [])
    .filter(({ value }) => value !== null && value <= high)
    .map(
      ({ value }) =>
        `<line x1="${left}" x2="${width - 10}" y1="${y(value)}" y2="${y(value)}" class="limit"/>`,
    );
  const hours = [0, 1 / 3, 2 / 3, 1].map((share) => {
    const at = first + share * (last - first);
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
    return `<text x="${x(at)}" y="${height - bottom + 14}" class="scale" style="text-anchor:${anchor}">${clock(at)}</text>`;
  });
  const legend = lines
    .slice(0, 5)
    .map(({ name }, at) => `<tspan fill="${COLORS[at % COLORS.length]}">■ ${plain(name)}  </tspan>`)
    .join("");
  return `${rules.join("")}${limits.join("")}${hours.join("")}${paths.join("")}<text x="${left}" y="${height - 10}" class="legend">${legend}</text>`;
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
    .stat { font-size: 34px; text-anchor: middle }
    .green { fill: #059669 } .red { fill: #dc2626 } .orange, .yellow { fill: #d97706 }
    .none { text-anchor: middle; fill: #9ca3af }
    .rule { stroke: #e5e7eb } .limit { stroke: #dc2626; stroke-dasharray: 6 4 } .scale { font-size: 10px; text-anchor: end; fill: #6b7280 } .legend { font-size: 10px }
  </style><h1>${plain(title)}</h1>${drawn.join("")}`;
}
