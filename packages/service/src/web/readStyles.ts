import type { DomDocument, DomElement, StyleRule } from "./pageDocument.js";

/** Property → value in lowercase, as the cascade leaves it. */
export type Declarations = ReadonlyMap<string, string>;

interface Weighed {
  readonly value: string;
  readonly weight: number;
}

/** What can hide text or decide whether it is seen; everything else of a style sheet is skipped. */
const WATCHED = new Set(
  [
    "display visibility opacity content-visibility filter position left right top bottom margin-left margin-top",
    "text-indent transform clip clip-path width height max-width max-height overflow overflow-x overflow-y",
    "font font-size color background background-color background-image background-clip -webkit-background-clip",
    "-webkit-text-fill-color",
  ].flatMap((line) => line.split(" ")),
);

const IMPORTANT = 1e9;
const INLINE = 1e8;
/** More than any page made for people, and few enough to be gone through in a second. */
const MAX_RULES = 5_000;
const MAX_TESTS = 50_000;
/** The window that media queries are asked about, in CSS pixels. */
const VIEWPORT = { width: 1280, height: 800 } as const;

/** The watched declarations that hold for each element, from `style` elements and `style` attributes. */
export function readStyles(document: DomDocument): (element: DomElement) => Declarations {
  const fromSheets = new Map<DomElement, Map<string, Weighed>>();
  const rules = listRules(document);
  if (rules.length > 0) {
    const index = indexElements(document);
    let tests = 0;
    rules.forEach(({ selector, declarations, weight }) => {
      for (const element of index(selector)) {
        if (!isSimple(selector) && (++tests > MAX_TESTS || !matches(element, selector))) continue;
        const own = fromSheets.get(element) ?? new Map<string, Weighed>();
        fromSheets.set(element, own);
        for (const declaration of declarations) put(own, declaration, weight);
      }
    });
  }
  return (element) => {
    const cascaded = new Map(fromSheets.get(element));
    const inline = element.getAttribute("style");
    for (const declaration of inline ? parseDeclarations(inline) : []) put(cascaded, declaration, INLINE);
    return new Map([...cascaded].map(([property, { value }]) => [property, value]));
  };
}

interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

function put(into: Map<string, Weighed>, { property, value, isImportant }: Declaration, weight: number) {
  const weighed = { value, weight: weight + (isImportant ? IMPORTANT : 0) };
  if ((into.get(property)?.weight ?? -1) <= weighed.weight) into.set(property, weighed);
}

/** Undoes comments and escapes first, which would spell a property so that a search does not find it. */
function parseDeclarations(css: string): Declaration[] {
  const plain = css
    .replaceAll(/\/\*.*?(\*\/|$)/gs, "")
    .replaceAll(/\\([0-9a-f]{1,6})\s?|\\(.)/gi, (_, hex: string | undefined, other: string | undefined) =>
      hex === undefined ? (other ?? "") : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    );
  return (plain.match(/(?:[^;(]|\([^)]*\)?)+/g) ?? []).flatMap((text) => {
    const colon = text.indexOf(":");
    const property = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (!WATCHED.has(property)) return [];
    const given = text
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const value = given.replace(/\s*!\s*important$/, "");
    return [{ property, value, isImportant: value !== given }];
  });
}

interface SelectedRule {
  readonly selector: string;
  readonly declarations: readonly Declaration[];
  /** Specificity first, then the place in the sheet. */
  readonly weight: number;
}

function listRules(document: DomDocument): SelectedRule[] {
  const found: SelectedRule[] = [];
  const visit = (rules: readonly StyleRule[]) => {
    for (const { selectorText, style, cssRules, media, conditionText } of rules) {
      if (found.length >= MAX_RULES) return;
      if (cssRules) {
        if (media ? appliesToScreen(media.mediaText) : conditionText !== undefined) visit(cssRules);
        continue;
      }
      const declarations = style && selectorText ? parseDeclarations(style.cssText) : [];
      if (declarations.length === 0 || selectorText === undefined) continue;
      for (const selector of splitOutside(selectorText))
        if (!DYNAMIC.test(selector))
          found.push({ selector, declarations, weight: specificityOf(selector) + found.length / 1e6 });
    }
  };
  for (const element of [...document.documentElement.querySelectorAll("style")]) {
    const media = element.getAttribute("media");
    if (media === null || appliesToScreen(media)) visit(readSheet(element));
  }
  return found;
}

function readSheet(element: DomElement): readonly StyleRule[] {
  try {
    return element.sheet?.cssRules ?? [];
  } catch {
    // What the parser cannot read styles nothing here, as a sheet in another file does not.
    return [];
  }
}

/** States that come and go, and parts that are no elements: such a rule hides no text for good. */
const DYNAMIC = /::|:(?!not\(|is\(|where\(|root|empty|first-child|last-child|only-child|nth-)/;

const splitOutside = (list: string) =>
  (list.match(/(?:[^,([]|\([^)]*\)|\[[^\]]*\])+/g) ?? []).map((selector) => selector.trim());

const isSimple = (selector: string) => /^[#.]?[\w-]+$/.test(selector) || selector === "*";

function specificityOf(selector: string): number {
  const count = (pattern: RegExp) => selector.match(pattern)?.length ?? 0;
  return (
    count(/#[\w-]+/g) * 10_000 + count(/\.[\w-]+|\[|:(?!not|is|where)/g) * 100 + count(/(^|[\s>+~])[a-z]/gi)
  );
}

function matches(element: DomElement, selector: string): boolean {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
}

/** Elements a selector may select, by the id, class or name its last part asks for. */
function indexElements(document: DomDocument): (selector: string) => readonly DomElement[] {
  const all = [...document.documentElement.querySelectorAll("*"), document.documentElement];
  const index = new Map<string, DomElement[]>();
  const add = (key: string, element: DomElement) => {
    const list = index.get(key);
    if (list) list.push(element);
    else index.set(key, [element]);
  };
  for (const element of all) {
    add(element.localName, element);
    const id = element.getAttribute("id");
    if (id) add(`#${id}`, element);
    for (const name of new Set(element.getAttribute("class")?.split(/\s+/)))
      if (name) add(`.${name}`, element);
  }
  return (selector) => {
    const last = /[^\s>+~]+$/.exec(selector.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ""))?.[0] ?? "";
    const key =
      /#[\w-]+/.exec(last)?.[0] ??
      /\.[\w-]+/.exec(last)?.[0] ??
      /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase();
    return key === undefined ? all : (index.get(key) ?? []);
  };
}

/** Whether one of these media queries holds for a screen of ordinary size; what else they ask counts as held. */
function appliesToScreen(list: string): boolean {
  return (
    list.trim() === "" ||
    list
      .toLowerCase()
      .split(",")
      .some((query) => {
        if (/\b(print|speech)\b/.test(query) || /\bnot\b/.test(query)) return false;
        const bounds = [...query.matchAll(/\((min|max)-(width|height)\s*:\s*([\d.]+)(px|em|rem)?\)/g)];
        return bounds.every(([, end, side, size, unit]) => {
          const pixels = Number(size) * (unit === "em" || unit === "rem" ? 16 : 1);
          const has = VIEWPORT[side as keyof typeof VIEWPORT];
          return end === "min" ? has >= pixels : has <= pixels;
        });
      })
  );
}
