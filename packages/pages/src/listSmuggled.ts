import { listInvisibleRuns } from "./invisibleCharacters.js";

/** Fewer are an accident. A tag character encodes a letter, a variation selector a byte, a zero-width character a bit. */
const MIN_TAGS = 3;
const MIN_SELECTORS = 8;
const MIN_RUN = 8;
const MIN_BITS = 16;
/** How often zero-width characters of different kinds must alternate; those that editors leave are of one kind. */
const MIN_CHANGES = 8;

const TAG = /[\u{e0020}-\u{e007e}]/gu;
const SELECTOR = /[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu;
const ZERO_WIDTH =
  /[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\u115f\u1160]/gu;

/**
 * Text in characters that no font shows: tag characters, which mirror ASCII, variation selectors, one for each byte, and
 * zero-width characters, one for each bit. A language model may read them. All of a page's are joined, because visible letters
 * between them do not stop a model. What cannot be decoded is listed by code point.
 */
export function listSmuggled(pageText: string): string[] {
  const runs = listInvisibleRuns(pageText);
  const all = runs.join("");
  const codes = (pattern: RegExp) =>
    (all.match(pattern) ?? []).map((character) => character.codePointAt(0) ?? 0);
  const tags = codes(TAG);
  const selectors = codes(SELECTOR);
  const zeros = runs.flatMap((run) => run.match(ZERO_WIDTH)?.join("") ?? []);
  const found: string[] = [];
  if (tags.length >= MIN_TAGS)
    found.push(String.fromCodePoint(...bounded(tags).map((code) => code - 0xe0000)));
  if (selectors.length >= MIN_SELECTORS) found.push(decodeBytes(selectors));
  if (isData(zeros)) found.push(decodeBits(zeros.join("")) ?? spell(zeros.join("")));
  return found;
}

const MAX_CODES = 10_000;
const bounded = <T>(list: readonly T[]) => list.slice(0, MAX_CODES);

function decodeBytes(selectors: readonly number[]): string {
  const bytes = bounded(selectors).map((code) => (code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Whether runs carry data: one long run, many short ones, or kinds that alternate. */
function isData(runs: readonly string[]): boolean {
  if (runs.some(({ length }) => length >= MIN_RUN)) return true;
  const inRuns = runs.filter(({ length }) => length > 1).reduce((sum, { length }) => sum + length, 0);
  const all = runs.join("");
  const changes = Array.from(all).filter(
    (character, index) => index > 0 && character !== all[index - 1],
  ).length;
  return inRuns >= MIN_BITS || (all.length >= MIN_BITS && changes >= MIN_CHANGES);
}

/** Reads two kinds of characters as bits, in either role and in the usual widths; undefined when no result is text. */
function decodeBits(characters: string): string | undefined {
  const counts = new Map<string, number>();
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
  const [one, two] = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  if (one === undefined || two === undefined) return undefined;
  const used = bounded(Array.from(characters)).filter((character) => character === one || character === two);
  for (const zero of [one, two]) {
    const bits = used.map((character) => (character === zero ? "0" : "1")).join("");
    for (const width of [8, 7, 16]) {
      const letters = (bits.match(new RegExp(`[01]{${width}}`, "g")) ?? []).map((word) =>
        Number.parseInt(word, 2),
      );
      const isText = letters.length > 3 && letters.every((code) => code === 10 || (code >= 32 && code < 127));
      if (isText) return String.fromCodePoint(...letters);
    }
  }
  return undefined;
}

const MAX_SPELLED = 60;
const spell = (characters: string) =>
  `${characters.length} zero-width characters: ${Array.from(characters.slice(0, MAX_SPELLED))
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(" ")}`;
