import { NEGATIONS } from "./denials.js";
import { readParts, type Sentence } from "./listSentences.js";
import { isLimiting } from "./openWords.js";
import { VERB } from "./wordKinds.js";

/** A block of the page: its range in the page text, in UTF-16 code units, and what it is. */
export interface TextBlock {
  readonly start: number;
  readonly end: number;
  readonly kind: "heading" | "item" | "other";
}

/** What two places of a page say together, with both of them. */
export interface Composed {
  readonly words: readonly string[];
  readonly breaks: ReadonlySet<number>;
  readonly from: readonly [Sentence, Sentence];
}

type Words = readonly string[];

const MAX_ITEM = 14;
const MAX_CELL = 8;
const MAX_COLUMNS = 12;

/** "It runs on:" and an item of the list behind it say together that it runs on that. */
export function listIntroduced(sentences: readonly Sentence[], blocks: readonly TextBlock[]): Composed[] {
  const itemOf = new Map(blocks.flatMap((block) => (block.kind === "item" ? [[block.start, block]] : [])));
  const composed: Composed[] = [];
  let introduction: Sentence | undefined;
  for (const [index, sentence] of sentences.entries()) {
    const item = itemOf.get(sentence.start);
    if (item === undefined) {
      const isBefore = itemOf.has(sentences[index + 1]?.start ?? -1);
      introduction = isBefore && /:$/.test(sentence.text) && isPlain(sentence.words) ? sentence : undefined;
    } else if (introduction !== undefined && sentence.start + sentence.text.length >= item.end) {
      if (sentence.words.length > MAX_ITEM || !isPlain(sentence.words)) continue;
      const before = leadsTo(introduction.words);
      composed.push({
        words: [...before, ...sentence.words],
        breaks: new Set([0, ...[...sentence.breaks].filter((at) => at > 0).map((at) => at + before.length)]),
        from: [introduction, sentence],
      });
    }
  }
  return composed;
}

/** "Supports the following languages:" leads to "supports". */
function leadsTo(words: Words): Words {
  const at = words.findLastIndex((word) => word === "following" || word === "these");
  if (at < 1 || words.length - at > 3) return words;
  return words.slice(0, words[at - 1] === "the" ? at - 1 : at);
}

const isPlain = (words: Words) =>
  !words.some(
    (word) =>
      isLimiting(word) ||
      /^(?:or|either|examples?|some|most|few|sometimes|usually|often|once|before|after|while)$/.test(word),
  );

interface Cell {
  readonly words: Words;
  readonly unit: Words;
}

/**
 * What a row says of the thing that one of its cells names, with the heads of its columns: "The length of the Oban line is 40 km".
 * Only of rows whose name stands in the claim.
 */
export function listRows(claim: Words, pageText: string): Composed[] {
  const composed: Composed[] = [];
  let head: Row | undefined;
  let at = 0;
  for (const block of pageText.split("\n\n")) {
    const row = block.includes("\t") ? readRow(block, at) : undefined;
    at += block.length + 2;
    if (row === undefined) head = undefined;
    else if (head === undefined) head = row;
    else if (head.cells.length === row.cells.length) composed.push(...composeRow(claim, head, row));
  }
  return composed;
}

interface Row {
  readonly cells: readonly Cell[];
  readonly sentence: Sentence;
}

function readRow(text: string, start: number): Row {
  const cells = text
    .split("\t")
    .slice(0, MAX_COLUMNS)
    .map((cell): Cell => {
      const [, name = cell, unit = ""] = /^([^()[\]]+)[([]([^()[\]]{1,12})[)\]]\s*$/.exec(cell) ?? [];
      return { words: readParts(name).words, unit: readParts(unit).words };
    });
  return { cells, sentence: { text, start, isQuestion: false, ...readParts(text) } };
}

function composeRow(claim: Words, head: Row, row: Row): Composed[] {
  return row.cells.flatMap((name, of) => {
    if (!isNamedIn(claim, name.words)) return [];
    return row.cells.flatMap((value, column) => {
      const [what, kind] = [head.cells[column], head.cells[of]];
      if (
        column === of ||
        what === undefined ||
        kind === undefined ||
        !isCell(value.words) ||
        !isCell(what.words)
      )
        return [];
      if (value.words.some((word) => NEGATIONS.has(word)) || !isPlain([...what.words, ...name.words]))
        return [];
      const amount =
        what.unit.length === 0 ? value.words : readParts([...value.words, ...what.unit].join(" ")).words;
      const names = [name.words, [...kind.words, ...name.words], [...name.words, ...kind.words]];
      const said = names.flatMap((own) => [
        ["the", ...what.words, "of", "the", ...own, "is", ...amount],
        ["the", ...what.words, "for", "the", ...own, "is", ...amount],
        ["the", ...own, "has", "a", ...what.words, "of", ...amount],
        ["the", ...own, "has", ...amount, ...what.words],
        ...(VERB.test(what.words.at(-1) ?? "") ? [["the", ...own, ...what.words, ...amount]] : []),
      ]);
      return said.map(
        (words): Composed => ({ words, breaks: new Set([0]), from: [head.sentence, row.sentence] }),
      );
    });
  });
}

const isCell = (words: Words) => words.length > 0 && words.length <= MAX_CELL;
const isNamedIn = (claim: Words, words: Words) =>
  isCell(words) && words.every((word) => claim.includes(word));
