import { COMMENT_NODE, type DomElement, type DomNode, isElement } from "./dom.js";
import { listStyleText } from "./listGeneratedText.js";
import { readMarkupText } from "./pageDocument.js";

/** Text that programs read and people are not shown, which is nothing unusual unless it commands a machine. */
export interface Aside {
  /** Where it stands: others of the same kind beside it may be read as one. */
  readonly carrier: string;
  readonly text: string;
  /** What it is for, which decides what is usual there. */
  readonly use: AsideUse;
}

/** `metadata` describes the page to search engines and previews, `label` names a picture, field or button. */
export type AsideUse = "metadata" | "label" | "style" | "other";

/** Attributes that programs read out or show in place of something; `data-…` is for a page's own scripts. */
const SPOKEN = new Set(
  [
    "abbr alt aria-braillelabel aria-description aria-label aria-placeholder aria-roledescription aria-valuetext content",
    "label placeholder srcdoc summary title value",
  ].flatMap((line) => line.split(" ")),
);
/** What people use, by the words on it. */
const CONTROLS = new Set(["button", "datalist", "optgroup", "option", "output", "select", "textarea"]);
const METADATA_NAMES = new Set(["meta", "link", "base"]);
/** Scripts and data for them; any other type is text that a browser leaves alone. */
const PROGRAM = /^$|javascript|ecmascript|module|json|importmap|speculationrules|shader|wasm/i;

/** What a comment, or an element that is not shown as text, says. */
export function listAsides(node: DomNode): Aside[] {
  if (node.nodeType === COMMENT_NODE) return [aside("comment", node.textContent)];
  if (!isElement(node)) return [];
  if (node.localName === "style")
    return listStyleText(node.textContent).map((text) => aside("style", text, "style"));
  if (node.localName === "script") return listScriptText(node);
  const inner = [node, ...node.querySelectorAll("*")];
  return [
    aside(node.localName, node.textContent, CONTROLS.has(node.localName) ? "label" : "other"),
    ...inner.flatMap(listSpokenAttributes),
  ];
}

/** What the attributes of an element say. */
export function listSpokenAttributes(element: DomElement): Aside[] {
  const use = METADATA_NAMES.has(element.localName) ? "metadata" : "label";
  const style = listStyleText(element.getAttribute("style") ?? "");
  const spoken = element
    .getAttributeNames()
    .filter((name) => SPOKEN.has(name))
    .map((name) => {
      const value = element.getAttribute(name) ?? "";
      return name === "srcdoc" ? aside(name, readMarkupText(value)) : aside(name, value, use);
    });
  return [...spoken, ...style.map((text) => aside("style", text, "style"))];
}

const aside = (carrier: string, text: string, use: AsideUse = "other"): Aside => ({ carrier, text, use });

/** Of scripts only what search engines read, and templates. */
function listScriptText(script: DomElement): Aside[] {
  const type = script.getAttribute("type") ?? "";
  if (/ld\+json/i.test(type))
    return listStrings(script.textContent).map((text) => aside("ld+json", text, "metadata"));
  return PROGRAM.test(type) ? [] : [aside("script", readMarkupText(script.textContent))];
}

/** Keys and values that are text; all of it where it is broken. */
export function listStrings(json: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (key, value: unknown) => {
      if (/\s/.test(key)) found.push(key);
      if (typeof value === "string") found.push(value);
      return value;
    });
  } catch {
    // Broken JSON is still read by eye.
    return [json];
  }
  return found;
}
