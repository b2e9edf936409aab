import { removeInvisible } from "../invisibleCharacters.js";
import type { Glyph } from "./readGlyphs.js";

/** All sizes are shares of the height of the font. */
const MAX_BASELINE_STEP = 0.6;
const MIN_WORD_GAP = 0.12;
const MAX_OVERLAP = 0.5;
const MIN_INDENT = 0.8;
const MIN_LEADING = 0.3;
/** Lines of one paragraph are no farther apart than this, unless most lines of the page are. */
const MAX_LEADING = 1.5;
const LEADING_ROOM = 1.25;
const MAX_SIZE_STEP = 1.18;

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/** Ligatures and the forms of Arabic letters, which only state how a letter is drawn. */
const DRAWN_FORMS = /[\ufb00-\ufb4f\ufb50-\ufdff\ufe70-\ufefc]/g;
const BULLET = /^[•◦‣▪▫●○■□–*-]\s|^\(?(?:\d{1,3}|[a-z])[.)]\s/;

interface Line {
  readonly parts: string[];
  /** The direction of writing, of length 1. */
  readonly ux: number;
  readonly uy: number;
  /** Along the direction of writing, and across it. */
  start: number;
  end: number;
  readonly across: number;
  size: number;
  /** Characters that were drawn to the left of the one before. */
  leftward: number;
}

/**
 * Joins the characters of a page to paragraphs, in the order in which the file draws them. The file holds no words: a gap is a
 * space, a step down is a new line, a wider step, an indent or another size of letters is a new paragraph.
 */
export function joinGlyphs(glyphs: readonly Glyph[]): string[] {
  const lines = listLines(glyphs);
  const maxLeading = findMaxLeading(lines);
  const paragraphs: string[] = [];
  let before: Line | undefined;
  let text = "";
  for (const line of lines) {
    const words = writeLine(line);
    if (words === "") continue;
    if (before !== undefined && continues(before, line, maxLeading, text, words))
      text = joinLines(text, words);
    else {
      if (text !== "") paragraphs.push(text);
      text = words;
    }
    before = line;
  }
  return text === "" ? paragraphs : [...paragraphs, text];
}

function listLines(glyphs: readonly Glyph[]): Line[] {
  const lines: Line[] = [];
  let isSpaceDue = false;
  for (const { text, x, y, endX, endY, size } of glyphs) {
    if (text.trim() === "") {
      isSpaceDue = true;
      continue;
    }
    const last = lines.at(-1);
    const length = Math.hypot(endX - x, endY - y);
    const [ux, uy] = length > 0 ? [(endX - x) / length, (endY - y) / length] : [last?.ux ?? 1, last?.uy ?? 0];
    const start = x * ux + y * uy;
    const end = start + length;
    const across = y * ux - x * uy;
    const isLevel =
      last !== undefined &&
      last.ux * ux + last.uy * uy > 0.99 &&
      Math.abs(across - last.across) < MAX_BASELINE_STEP * Math.max(size, last.size);
    const gap = last === undefined ? 0 : start - last.end;
    const leftGap = last === undefined ? 0 : last.start - end;
    if (isLevel && gap > -MAX_OVERLAP * size) {
      if (isSpaceDue || gap > MIN_WORD_GAP * size) last.parts.push(" ");
      last.end = Math.max(last.end, end);
    } else if (isLevel && RTL.test(text) && leftGap > -MAX_OVERLAP * size) {
      if (isSpaceDue || leftGap > MIN_WORD_GAP * size) last.parts.push(" ");
      last.start = start;
      last.leftward += 1;
    } else {
      lines.push({ parts: [text], ux, uy, start, end, across, size, leftward: 0 });
      isSpaceDue = false;
      continue;
    }
    last.parts.push(text);
    last.size = Math.max(last.size, size);
    isSpaceDue = false;
  }
  return lines;
}

/** The words of a line, in the order in which they are read. */
function writeLine({ parts, leftward }: Line): string {
  const rtl = parts.filter((part) => RTL.test(part)).length;
  const isDrawnBackwards = rtl > parts.length / 2 && leftward < rtl / 2;
  const ordered = isDrawnBackwards ? reverseRtl(parts) : parts;
  const letters = ordered.join("").replaceAll(DRAWN_FORMS, (form) => form.normalize("NFKC"));
  return removeInvisible(letters).replaceAll(/\s+/g, " ").trim();
}

/** A line of right-to-left writing that was drawn from left to right; numbers and Latin words in it keep their order. */
function reverseRtl(parts: readonly string[]): string[] {
  const reversed: string[] = [];
  let kept: string[] = [];
  for (const part of parts.toReversed()) {
    if (/[\p{Script=Latin}\p{N}]/u.test(part) || (kept.length > 0 && /^[.,:/%-]$/.test(part)))
      kept.unshift(part);
    else {
      reversed.push(...kept, part);
      kept = [];
    }
  }
  return [...reversed, ...kept];
}

const leadingOf = (one: Line, next: Line) => (one.across - next.across) / Math.max(one.size, next.size);

function findMaxLeading(lines: readonly Line[]): number {
  const steps = lines
    .slice(1)
    .map((line, index) => leadingOf(lines[index] ?? line, line))
    .filter((step) => step > MIN_LEADING && step < 3)
    .sort((a, b) => a - b);
  const usual = steps[Math.floor(steps.length / 2)] ?? 0;
  return Math.max(MAX_LEADING, usual * LEADING_ROOM);
}

function continues(one: Line, next: Line, maxLeading: number, text: string, words: string): boolean {
  const leading = leadingOf(one, next);
  const size = Math.max(one.size, next.size);
  if (one.ux * next.ux + one.uy * next.uy < 0.99) return false;
  if (leading < MIN_LEADING || leading > maxLeading) return false;
  if (size > MAX_SIZE_STEP * Math.min(one.size, next.size)) return false;
  if (next.start > one.end || next.end < one.start) return false;
  if (BULLET.test(words)) return false;
  return !(next.start > one.start + MIN_INDENT * size && /[.!?:;”")]$/.test(text));
}

/** A hyphen at the end of a line is taken to divide a word where the next line goes on in small letters. */
function joinLines(text: string, words: string): string {
  if (/\p{L}[-\u2010\u00ad]$/u.test(text) && /^\p{Ll}/u.test(words)) return text.slice(0, -1) + words;
  if (UNSPACED.test(text.slice(-1)) && UNSPACED.test(words.slice(0, 1))) return text + words;
  return `${text} ${words}`;
}
