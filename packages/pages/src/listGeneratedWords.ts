import type { DomDocument, DomElement } from "./dom.js";
import { listGeneratedText } from "./listGeneratedText.js";
import { appliesToScreen } from "./styles/appliesToScreen.js";
import { certaintyOf, NO, YES } from "./styles/certainty.js";
import { compileSelector } from "./styles/compileSelector.js";
import { listTree, type TreeElement } from "./styles/elementTree.js";
import { parseSheet, type SheetRule } from "./styles/parseSheet.js";

const PSEUDO = /::?(?:before|after)\s*$/i;
/** Each selector is searched for in the whole page. */
const MAX_SELECTORS = 200;

/** Elements before or after which a style sheet puts words: those may reverse the meaning of the text. */
export function listGeneratedWords(document: DomDocument): DomElement[] {
  const selectors = new Set<string>();
  const read = ({ name, prelude, block }: SheetRule) => {
    if (block === null || (name === "media" && appliesToScreen(prelude) === NO)) return;
    const hasWords = block.declarations.some(
      ({ property, value }) => property === "content" && isWording(`content:${value}`),
    );
    if (name === null && hasWords)
      for (const selector of prelude.split(","))
        if (PSEUDO.test(selector)) selectors.add(selector.trim().replace(PSEUDO, "") || "*");
    block.rules.forEach(read);
  };
  for (const sheet of document.documentElement.listInside("style"))
    if (PSEUDO_ANYWHERE.test(sheet.textContent) && appliesToScreen(sheet.getAttribute("media") ?? "") !== NO)
      parseSheet(sheet.textContent).rules.forEach(read);
  if (selectors.size === 0) return [];
  const tree = listTree(document, document.isQuirks);
  return [...selectors].slice(0, MAX_SELECTORS).flatMap((selector) => select(tree, selector));
}

const PSEUDO_ANYWHERE = /:(?:before|after)/i;
const isWording = (declaration: string) => listGeneratedText(declaration).some((text) => /\p{L}/u.test(text));

/** None for a selector that is not understood, or that needs a pointer. */
function select(tree: readonly TreeElement[], text: string): readonly DomElement[] {
  if (/:(?:hover|focus|active|target|checked)/i.test(text)) return [];
  const selector = compileSelector(text, {
    isQuirks: false,
    parents: null,
    isScope: ({ parent }) => certaintyOf(parent === null),
    countTest() {},
  });
  return selector
    ? tree.filter((element) => selector.matches(element) === YES).map(({ element }) => element)
    : [];
}
