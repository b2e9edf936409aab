import type { DomElement } from "../dom.js";
import { type Appearance, type HiddenKind, INITIAL_APPEARANCE } from "./appearance.js";
import type { ComputedStyle } from "./computeStyle.js";
import { isPastEdge, overflowsClip } from "./isPastEdge.js";
import { measure } from "./measure.js";
import { paintText } from "./paintText.js";
import { type BoxPlacement, placeBox } from "./placeBox.js";
import { createStyleReader, type StyleReader } from "./styleReader.js";
import { isBox, isPaint, PSEUDO_SHEET } from "./watchedProperties.js";

/** How text inside an element appears, from its own computed style and the appearance around it. */
export function computeAppearance(
  around: Appearance,
  element: DomElement,
  style: ComputedStyle,
  { isQuirks, rootFontSize }: { isQuirks: boolean; rootFontSize: number },
): Appearance {
  const isPageItself = element.localName === "html" || element.localName === "body";
  const fonts = createStyleReader(style, { fontSize: around.fontSize, rootFontSize });
  const fontSize = readFontSize(fonts, around.fontSize);
  const sizes = { fontSize, rootFontSize: element.localName === "html" ? fontSize : rootFontSize };
  const read = createStyleReader(style, sizes);
  const visibility = read.word("visibility", "");
  const isBoxed = style.sets(isBox) || around.box.hasClosedRows;
  const { box, hiddenBy } = isBoxed
    ? placeBox(around.box, read, sizes, isPageItself)
    : { box: around.box, hiddenBy: null };
  const paint = !style.sets(isPaint)
    ? around.paint
    : paintText(around.paint, style, sizes, isQuirks, element.localName === "html");
  const hasGround = paint.ground !== around.paint.ground && paint.ground.isSolid && !isPageItself;
  const lineHeight = readLineHeight(read, sizes) ?? around.lineHeight;
  const line = lineHeight.value * (lineHeight.isFactor ? fontSize : 1);
  const lines = { fontSize, line };
  const dependsOnText = isBoxed && !isPageItself && mayLeaveWindow(box, read);
  const isOut = dependsOnText && isPastEdge(element, box, around.box, read, lines);
  const isTooLong = dependsOnText && overflowsClip(element, box, read, lines);
  const ownHiddenBy = findHidingStyle(style, read) ?? hiddenBy ?? (isOut ? "off_screen" : null);
  return {
    hiddenBy: around.hiddenBy ?? ownHiddenBy,
    isVisible: visibility === "" ? around.isVisible : !/^(hidden|collapse)$/.test(visibility),
    fontSize,
    lineHeight,
    letterSpacing:
      read.length("letter-spacing", 0) ??
      (style.get("letter-spacing") === undefined ? around.letterSpacing : 0),
    indent:
      read.length("text-indent", box.width) ?? (style.get("text-indent") === undefined ? around.indent : 0),
    box,
    dependsOnText,
    paint,
    hidesBehind: around.hidesBehind || hasGround,
    unclear:
      around.unclear ??
      fonts.unclear() ??
      read.unclear() ??
      style.get(PSEUDO_SHEET)?.replace("on", "pseudo-element") ??
      (isTooLong ? "clipped-text" : null) ??
      (around.hidesBehind && isBehind(read) ? "z-index" : null) ??
      null,
    style,
    perhaps: null,
  };
}

const mayLeaveWindow = (box: BoxPlacement, read: StyleReader) =>
  box.x < 0 ||
  box.y < 0 ||
  /^(?:absolute|fixed)$/.test(read.word("position", "static")) ||
  /hidden|clip/.test(read.word("overflow-y", ""));

/** Whether it lies behind grounds of the elements around it, up to where a stacking context starts (CSS 2.2, appendix E). */
const isBehind = (read: StyleReader) =>
  Number(read.word("z-index", "auto")) < 0 && read.word("position", "static") !== "static";

function findHidingStyle(style: ComputedStyle, read: StyleReader): HiddenKind | null {
  const is = (property: string, pattern: RegExp) => pattern.test(read.word(property, ""));
  if (
    is("display", /^(none|table-column|table-column-group)$/) ||
    is("content-visibility", /^hidden$/) ||
    is("-webkit-text-security", /^(?!none$)./) ||
    // A picture in place of the element's content.
    /^(url|image-set|[-\w]*gradient)\(/.test(style.get("content") ?? "")
  )
    return "display_none";
  return is("font-size-adjust", /^0*\.?0+$/) ? "zero_size" : null;
}

/** CSS Fonts 4, section 2.5, in CSS pixels. */
const FONT_WORDS: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
  "xxx-large": 48,
};

function readFontSize(read: StyleReader, around: number): number {
  const word = read.word("font-size", "");
  if (word === "smaller") return around / 1.2;
  if (word === "larger") return around * 1.2;
  return FONT_WORDS[word] ?? read.length("font-size", around) ?? around;
}

function readLineHeight(
  read: StyleReader,
  sizes: { fontSize: number; rootFontSize: number },
): Appearance["lineHeight"] | undefined {
  const word = read.word("line-height", "");
  if (word === "") return undefined;
  if (word === "normal") return INITIAL_APPEARANCE.lineHeight;
  const value = measure(word, { ...sizes, percentOf: sizes.fontSize });
  return value === undefined ? undefined : { value, isFactor: /^[+.\d]+$/.test(word) };
}
