import type { Verdict } from "@assay/protocol";
import type { SharedWords } from "./describeShared.js";
import { escapeText, plainText } from "./escapeText.js";

/** What previews of links expect (Open Graph). */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;

const colours: Record<Verdict, string> = { allow: "#86efac", review: "#fcd34d", block: "#ff5c5c" };
/** Word, shape and colour each identify the verdict, as in the console. */
const marks: Record<Verdict, string> = {
  allow: "M5 12.5l4.5 4.5L19 7.5",
  review: "M12 6v7.5M12 17.4v.2",
  block: "M6.5 6.5l11 11M17.5 6.5l-11 11",
};

/** Round, a shield, a square with round corners. */
const shapes: Record<Verdict, string> = {
  allow: '<circle cx="12" cy="12" r="12"/>',
  review: '<path d="M4 0h16a4 4 0 0 1 4 4v8a12 12 0 0 1-24 0V4a4 4 0 0 1 4-4z"/>',
  block: '<rect width="24" height="24" rx="7"/>',
};

/** In widths of a usual small letter. */
const LINE_WIDTH = 54;
const MOST_LINES = 4;

/** The picture of a link to a shared answer, as SVG. */
export function writeCard({ verdict, question, headline, readAt }: SharedWords, host: string): string {
  const colour = colours[verdict];
  const lines = wrap(plainText(headline))
    .map((line, place) => `<text x="90" y="${330 + place * 52}" font-size="40">${escapeText(line)}</text>`)
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}" font-family="DM Sans" fill="#e7ece9">
<rect width="1200" height="630" fill="#101413"/><rect width="28" height="630" fill="${colour}"/>
<text x="90" y="96" font-size="34" fill="#a9b4af">${escapeText(clip(question, 60))}</text>
<g transform="translate(90 138) scale(4.4)" fill="${colour}">${shapes[verdict]}<path d="${marks[verdict]}" fill="none" stroke="#101413" stroke-width="2.75" stroke-linecap="round" stroke-linejoin="round"/></g>
<text x="228" y="228" font-size="104" font-weight="700" fill="${colour}">${verdict.toUpperCase()}</text>
${lines}
<line x1="90" y1="536" x2="1110" y2="536" stroke="#2c3431" stroke-width="2"/>
<text x="90" y="584" font-size="28" fill="#a9b4af">${escapeText(readAt)}</text>
<text x="1110" y="584" font-size="28" text-anchor="end" fill="#a9b4af"><tspan font-weight="700" fill="#6ee7a0">Assay</tspan> ${escapeText(clip(host, 32))}</text>
</svg>`;
}

const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** How wide a letter is at most, so that no choice of letters runs out of the picture. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[MWmw@%]/.test(letter) ? 2.2 : /[a-z0-9 .,:;'"“”()-]/.test(letter) ? 1 : 1.5;
  return width;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).flatMap(cut)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) > LINE_WIDTH) {
      if (line !== "") lines.push(line);
      line = word;
    } else line = longer;
  }
  lines.push(line);
  const shown = lines.slice(0, MOST_LINES);
  return lines.length > MOST_LINES ? [...shown.slice(0, -1), `${clipLine(shown.at(-1) ?? "")}…`] : shown;
}

/** Leaves room for what follows. */
function clipLine(line: string): string {
  const letters = [...line];
  while (widthOf(letters.join("")) > LINE_WIDTH - 2) letters.pop();
  return letters.join("");
}

/** A word without a blank may be longer than a line. */
function cut(word: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const letter of word) {
    if (widthOf(part + letter) > LINE_WIDTH) {
      parts.push(part);
      part = letter;
    } else part += letter;
  }
  return [...parts, part];
}
