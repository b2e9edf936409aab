import type { News } from "@assay/capabilities/loadNews";
import { describeHead, describePayment, type Printed } from "./formatAnswer.js";
import { alignRows, type Paint, printable } from "./text.js";

const POWERS = "Power over it";

/** As many lines as every terminal shows at once. */
const MAX_LINES = 25;

/** A paid answer in 25 lines at most: its news, what moves, who has power over it, why, and what it cost. */
export function formatBrief(printed: Printed, paint: Paint): string {
  const { paid, news, window } = printed;
  const say = sayShort(news.names);
  const head = describeHead(paid.answer, news, window, paint, say);
  const end = ["", ...describePayment(printed)];
  // One line is kept for the number of those that are left out.
  const room = MAX_LINES - head.length - end.length - 1;
  const isAllowed = paid.answer.verdict === "allow";
  const heavy = news.reasons.filter(({ verdict }) => verdict !== "allow");
  const reasons = isAllowed ? news.reasons : heavy;
  const groups: Group[] = [
    { title: "Moves", rows: news.changes.map(({ name, text }) => [name, say(text)]) },
    { title: POWERS, rows: news.powers.map(({ name, text }) => [say(name), say(text)]) },
    ...(isAllowed
      ? []
      : [{ title: "Why", rows: reasons.map(({ code, sentence }) => [code, sentence] as const) }]),
    ...news.sections
      .filter(({ isMinor }) => !isMinor)
      .map(({ title, lines }) => ({
        title,
        rows: lines.map(({ name, text }) => [say(name), say(text)] as const),
      })),
  ];
  const { lines, left } = fill(groups, room, paint);
  const folded = left + (isAllowed ? reasons.length : news.reasons.length - heavy.length);
  const more = folded + paid.answer.result.limitations.length;
  return `${[...head, ...lines, ...end, `  ${more} more figures, reasons and limits: --full`].join("\n")}\n`;
}

interface Group {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

/** A group that does not fit is cut, and never shown as a title alone. */
function fill(groups: readonly Group[], room: number, paint: Paint) {
  const lines: string[] = [];
  let left = 0;
  for (const { title, rows } of groups) {
    const fit = Math.max(0, Math.min(rows.length, room - lines.length - 2));
    left += rows.length - fit;
    if (fit > 0)
      lines.push(
        "",
        paint(title === POWERS ? ["bold", "yellow"] : "bold", title),
        ...alignRows(rows.slice(0, fit)).map(shorten),
      );
  }
  return { lines, left };
}

/** A row stays on one or two lines of a terminal. */
const LONGEST_ROW = 150;
const shorten = (row: string) => (row.length > LONGEST_ROW ? `${row.slice(0, LONGEST_ROW - 1)}…` : row);

/** Addresses as names where those are known, and otherwise in short; --full has them whole. */
const sayShort = (names: News["names"]) => (text: string) =>
  printable(text).replace(/0x[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?(?![0-9a-fA-F])/g, (hex) => {
    const name = hex.length === 42 ? names.get(hex.toLowerCase()) : undefined;
    const short = `${hex.slice(0, 6)}…${hex.slice(-4)}`;
    return name === undefined ? short : `${printable(name)} (${short})`;
  });
