import { lookAlikeCharacters, removeHiddenCharacters } from "@assay/protocol";

const COMBINING_MARKS =
  /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/g;
/** Ornaments people put around a symbol without making it another: `$USDC`, `USDC.` */
const ORNAMENTS = /^[$'"`.,_-]+|['"`.,_-]+$/g;

/** A label without case, style, marks and look-alike letters. */
interface FoldedLabel {
  readonly caseless: string;
  /**
   * The same with each small L read as the capital i that it resembles. A capital L does not resemble one: a single
   * folding would make DAL an imitation of DAI.
   */
  readonly upright: string;
}

export function foldLookAlikes(label: string): FoldedLabel {
  const bare = removeHiddenCharacters(label).replaceAll(" ", "").replace(ORNAMENTS, "");
  // Compatibility forms (UAX #15) turn some look-alikes into letters of another shape, for example a lunate sigma
  // into a sigma, so shapes are replaced before as well as after.
  const plain = replaceShapes(bare).normalize("NFKD").replace(COMBINING_MARKS, "");
  return { caseless: finish(plain), upright: finish(plain.replaceAll("l", "I")) };
}

/** Whether two labels can pass for each other. */
export function looksLike(one: FoldedLabel, other: FoldedLabel): boolean {
  return one.caseless !== "" && (one.caseless === other.caseless || one.upright === other.upright);
}

const finish = (plain: string) => replaceShapes(plain).toLowerCase().replaceAll("vv", "w");

const replaceShapes = (text: string) =>
  Array.from(text, (character) => lookAlikeCharacters.get(character) ?? character).join("");
