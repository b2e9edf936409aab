import { COMMENT_NODE, type DomElement, type DomNode, isElement } from "./dom.js";
import { listStyleText } from "./listGeneratedText.js";
import { readMarkupText } from "./pageDocument.js";

/** Text that programs read and people are not shown. It is ordinary unless it gives orders to an agent. */
export interface Aside {
  /** Where it comes from: neighbouring texts of one carrier may form one sentence. */
  readonly carrier: string;
  readonly text: string;
  /** Its purpose, which decides what wording is ordinary there. */
  readonly use: AsideUse;
}

/** `metadata` describes the page to search engines and previews, `label` names a picture, field or button. */
export type AsideUse = "metadata" | "label" | "style" | "other";

/** Attributes that programs read aloud or show in place of something; `data-…` is for a page's own scripts. */
const TEXT_ATTRIBUTES = new Set(
  [
    "abbr alt aria-braillelabel aria-description aria-label aria-placeholder aria-roledescription aria-valuetext content",
    "label placeholder summary title value",
  ].flatMap((line) => line.split(" ")),
);
/** Controls, which people recognise by their words. */
const CONTROLS = new Set(["button", "datalist", "optgroup", "option", "output", "select", "textarea"]);
const METADATA_NAMES = new Set(["meta", "link", "base"]);
/** Types of scripts and of data for them; browsers do not run a script of any other type. */
const PROGRAM = /^$|javascript|ecmascript|module|json|importmap|speculationrules|shader|wasm/i;

/** The texts of a comment, or of an element that is not shown as text. */
export function listAsides(node: DomNode): Aside[] {
  if (node.nodeType === COMMENT_NODE) return [aside("comment", node.textContent)];
  if (!isElement(node)) return [];
  if (node.localName === "style")
    return listStyleText(node.textContent).map((text) => aside("style", text, "style"));
  if (node.localName === "script") return listScriptText(node);
  const inner = [node, ...node.listInside()];
  return [
    aside(node.localName, node.textContent, CONTROLS.has(node.localName) ? "label" : "other"),
    ...inner.flatMap(listAttributeTexts),
  ];
}

/** The texts in the attributes of an element. */
export function listAttributeTexts({ localName, attributes }: DomElement): Aside[] {
  const use = METADATA_NAMES.has(localName) ? "metadata" : "label";
  const texts: Aside[] = [];
  for (const { name, value } of attributes) {
    if (name === "srcdoc") texts.push(aside(name, readMarkupText(value)));
    else if (name === "style") texts.push(...listStyleText(value).map((text) => aside(name, text, name)));
    else if (TEXT_ATTRIBUTES.has(name)) texts.push(aside(name, value, use));
  }
  return texts;
}

const aside = (carrier: string, text: string, use: AsideUse = "other"): Aside => ({ carrier, text, use });

/** The texts of a script element: what search engines read, and templates; nothing of programs. */
function listScriptText(script: DomElement): Aside[] {
  const type = script.getAttribute("type") ?? "";
  if (/ld\+json/i.test(type))
    return listStrings(script.textContent).map((text) => aside("ld+json", text, "metadata"));
  return PROGRAM.test(type) ? [] : [aside("script", readMarkupText(script.textContent))];
}

/** The keys and values that are text; the whole source where it is not valid JSON. */
export function listStrings(json: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (key, value: unknown) => {
      if (/\s/.test(key)) found.push(key);
      if (typeof value === "string") found.push(value);
      return value;
    });
  } catch {
    // An agent can still read invalid JSON.
    return [json];
  }
  return found;
}
