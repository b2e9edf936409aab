import type { DomElement } from "../dom.js";
import { parseColour } from "./parseColour.js";
import type { Declaration } from "./parseSheet.js";

const declare = (property: string, value: string): Declaration => ({ property, value, isImportant: false });
const HIDDEN = [declare("display", "none")];

/** The part of every browser's default style sheet (HTML, section 15.3) that decides what is seen. */
const BY_NAME: Readonly<Record<string, readonly Declaration[]>> = {
  // It shows nothing that extends beyond it.
  marquee: [declare("overflow-x", "hidden"), declare("overflow-y", "hidden")],
  mark: [declare("color", "marktext"), declare("background-color", "mark")],
  noembed: HIDDEN,
  noframes: HIDDEN,
  rp: HIDDEN,
  rt: [declare("font-size", "50%")],
  small: [declare("font-size", "smaller")],
  sub: [declare("font-size", "smaller")],
  sup: [declare("font-size", "smaller")],
};
const NOTHING: readonly Declaration[] = [];

/** An element's default style, and the presentational attributes that are older than style sheets. */
export function browserStyle(element: DomElement): readonly Declaration[] {
  const name = element.localName;
  const known = BY_NAME[name] ?? NOTHING;
  if (element.attributes.length === 0) return name === "dialog" ? HIDDEN : known;
  const own: Declaration[] = [...known];
  const attribute = (key: string) => element.getAttribute(key);
  if (name === "a" && attribute("href") !== null) {
    const link = element.ownerDocument.body.getAttribute("link");
    own.push(declare("color", link ? legacyColour(link) : "linktext"));
  }
  for (const side of name === "marquee" ? ["width", "height"] : []) {
    const size = /^\s*([\d.]+)(%?)/.exec(attribute(side) ?? "");
    if (size) own.push(declare(side, `${size[1]}${size[2] || "px"}`));
  }
  if (name === "dialog" && attribute("open") === null) own.push(...HIDDEN);
  if (attribute("popover") !== null) own.push(...HIDDEN);
  const hidden = attribute("hidden")?.toLowerCase();
  if (hidden !== undefined)
    own.push(...(hidden === "until-found" ? [declare("content-visibility", "hidden")] : HIDDEN));
  const colour = attribute(name === "font" ? "color" : name === "body" ? "text" : "");
  if (colour) own.push(declare("color", legacyColour(colour)));
  const ground = attribute("bgcolor");
  if (ground) own.push(declare("background-color", legacyColour(ground)));
  const picture = name === "body" || /^(table|td|th|tr)$/.test(name) ? attribute("background") : null;
  if (picture) own.push(declare("background-image", "url(picture)"));
  return own;
}

/** HTML, section 2.4.6: a value that is neither a name nor a full notation is read as six digits, other characters as 0. */
function legacyColour(text: string): string {
  const value = text.trim().toLowerCase();
  if (/^([a-z]+|#[0-9a-f]{3}|#[0-9a-f]{6})$/.test(value) && parseColour(value) !== undefined) return value;
  const digits = value.replace(/^#/, "").replaceAll(/[^0-9a-f]/g, "0");
  const length = Math.max(1, Math.ceil(digits.length / 3));
  const padded = digits.padEnd(length * 3, "0");
  const parts = [0, 1, 2].map((part) =>
    padded
      .slice(part * length, (part + 1) * length)
      .slice(0, 2)
      .padStart(2, "0"),
  );
  return `#${parts.join("")}`;
}
