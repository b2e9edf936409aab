import type { DomElement } from "../dom.js";
import { parseColour } from "./parseColour.js";
import type { Declaration } from "./parseSheet.js";

const say = (property: string, value: string): Declaration => ({ property, value, isImportant: false });
const GONE = [say("display", "none")];

/** Of the style sheet that every browser brings along (HTML, section 15.3), as far as it decides what is seen. */
const BY_NAME: Readonly<Record<string, readonly Declaration[]>> = {
  // It shows nothing that sticks out of it.
  marquee: [say("overflow-x", "hidden"), say("overflow-y", "hidden")],
  mark: [say("color", "marktext"), say("background-color", "mark")],
  noembed: GONE,
  noframes: GONE,
  rp: GONE,
  rt: [say("font-size", "50%")],
  small: [say("font-size", "smaller")],
  sub: [say("font-size", "smaller")],
  sup: [say("font-size", "smaller")],
};
const NOTHING: readonly Declaration[] = [];

/** What an element looks like before the page says anything, and what attributes say that came before style sheets. */
export function browserStyle(element: DomElement): readonly Declaration[] {
  const name = element.localName;
  const known = BY_NAME[name] ?? NOTHING;
  if (element.attributes.length === 0) return name === "dialog" ? GONE : known;
  const own: Declaration[] = [...known];
  const attribute = (key: string) => element.getAttribute(key);
  if (name === "a" && attribute("href") !== null) {
    const link = element.ownerDocument.body.getAttribute("link");
    own.push(say("color", link ? legacyColour(link) : "linktext"));
  }
  for (const side of name === "marquee" ? ["width", "height"] : []) {
    const size = /^\s*([\d.]+)(%?)/.exec(attribute(side) ?? "");
    if (size) own.push(say(side, `${size[1]}${size[2] || "px"}`));
  }
  if (name === "dialog" && attribute("open") === null) own.push(...GONE);
  if (attribute("popover") !== null) own.push(...GONE);
  const hidden = attribute("hidden")?.toLowerCase();
  if (hidden !== undefined)
    own.push(...(hidden === "until-found" ? [say("content-visibility", "hidden")] : GONE));
  const colour = attribute(name === "font" ? "color" : name === "body" ? "text" : "");
  if (colour) own.push(say("color", legacyColour(colour)));
  const ground = attribute("bgcolor");
  if (ground) own.push(say("background-color", legacyColour(ground)));
  const picture = name === "body" || /^(table|td|th|tr)$/.test(name) ? attribute("background") : null;
  if (picture) own.push(say("background-image", "url(picture)"));
  return own;
}

/** HTML, section 2.4.6, for what is neither a name nor a full notation: six digits, others counting as 0. */
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
