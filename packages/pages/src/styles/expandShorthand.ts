import { parseColour } from "./parseColour.js";
import { splitCommas, splitSpaces } from "./splitCss.js";

type Longhand = readonly [property: string, value: string];

const SIDES = ["top", "right", "bottom", "left"] as const;
const CSS_WIDE = /^(inherit|initial|unset|revert|revert-layer)$/;

/** The watched properties that a shorthand sets; its value has no `var()` left. */
export function expandShorthand(property: string, value: string): readonly Longhand[] {
  if (property === "background") return expandBackground(value);
  if (property === "font") return expandFont(value);
  if (property === "animation") return expandAnimation(value);
  const parts = splitSpaces(value);
  const [first = "", second = first, third = first, fourth = second] = parts;
  if (property === "overflow")
    return [
      ["overflow-x", first],
      ["overflow-y", second],
    ];
  const [, name = property, axis] = /^(margin|padding|inset)(?:-(inline|block))?$/.exec(property) ?? [];
  const nameOf = (side: string) => (name === "inset" ? side : `${name}-${side}`);
  if (axis !== undefined) {
    const [start, end] = axis === "inline" ? ["left", "right"] : ["top", "bottom"];
    return [
      [nameOf(start ?? ""), first],
      [nameOf(end ?? ""), second],
    ];
  }
  return SIDES.map((side, index) => [nameOf(side), [first, second, third, fourth][index] ?? first] as const);
}

const IMAGE =
  /^(url|image|image-set|-webkit-image-set|cross-fade|-webkit-cross-fade|element|paint|[-\w]*gradient)\(/;
const BOX = /^(border-box|padding-box|content-box|text)$/;

function expandBackground(value: string): readonly Longhand[] {
  if (CSS_WIDE.test(value))
    return ["color", "image", "position", "size", "clip"].map((end) => [`background-${end}`, value] as const);
  const layers = splitCommas(value).map((layer) => {
    const [before = "", after = ""] = splitSlash(layer);
    const parts = splitSpaces(before);
    const sizes = splitSpaces(after).filter((part) =>
      /^(auto|cover|contain|[\d.-]|calc|min|max|clamp)/.test(part),
    );
    return {
      parts: [...parts, ...splitSpaces(after).filter((part) => !sizes.includes(part))],
      position: parts.filter((part) =>
        /^(left|right|top|bottom|center|[\d.+-]|calc|min|max|clamp)/.test(part),
      ),
      sizes,
    };
  });
  const last = layers.at(-1)?.parts ?? [];
  const isOther = (part: string) =>
    IMAGE.test(part) ||
    BOX.test(part) ||
    /^(none|fixed|local|scroll|space|round|(no-)?repeat(-[xy])?)$/.test(part);
  const placed = new Set(layers.at(-1)?.position);
  const rest = last.filter((part) => !isOther(part) && !placed.has(part));
  return [
    ["background-color", rest[0] ?? last.find((part) => parseColour(part) !== undefined) ?? "transparent"],
    [
      "background-image",
      layers.map(({ parts }) => parts.find((part) => IMAGE.test(part)) ?? "none").join(", "),
    ],
    ["background-position", layers.map(({ position }) => position.join(" ") || "0 0").join(", ")],
    ["background-size", layers.map(({ sizes }) => sizes.join(" ") || "auto").join(", ")],
    [
      "background-clip",
      layers.map(({ parts }) => parts.findLast((part) => BOX.test(part)) ?? "border-box").join(", "),
    ],
  ];
}

/** Splits in two at a slash outside of brackets. */
function splitSlash(text: string): string[] {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "/" && depth === 0) return [text.slice(0, at), text.slice(at + 1)];
  }
  return [text];
}

/** The keywords that may precede the size; a weight is 1 to 1000. */
const BEFORE_SIZE =
  /^(normal|italic|oblique|small-caps|bold|bolder|lighter|(ultra-|extra-|semi-)?(condensed|expanded)|-?[\d.]+deg|[1-9]\d{0,3}(\.\d+)?)$/;

function expandFont(value: string): readonly Longhand[] {
  if (CSS_WIDE.test(value))
    return [
      ["font-size", value],
      ["line-height", value],
    ];
  const [before = "", after = ""] = splitSlash(value);
  const size = splitSpaces(before).find((part) => !BEFORE_SIZE.test(part)) ?? "medium";
  const isSystem = /^(caption|icon|menu|message-box|small-caption|status-bar)$/.test(size);
  return [
    ["font-size", isSystem ? "medium" : size],
    ["line-height", splitSpaces(after)[0] ?? "normal"],
  ];
}

const NO_NAME =
  /^[+-]?[\d.]+m?s$|^[\d.]+$|\(|^(?:infinite|normal|reverse|alternate|alternate-reverse|forwards|backwards|both|running|paused|linear|ease|ease-in|ease-out|ease-in-out|step-start|step-end)$/;

/** Only the names count. */
function expandAnimation(value: string): readonly Longhand[] {
  const names = splitCommas(value).map(
    (text) => splitSpaces(text).find((part) => !NO_NAME.test(part)) ?? "none",
  );
  return [["animation-name", CSS_WIDE.test(value) ? value : names.join(", ")]];
}
