/** Set for elements whose `::before` or `::after` is a painted area as large as they are. */
export const PSEUDO_SHEET = "pseudo-sheet";

/** Properties that can hide text or decide whether it is seen; all others are skipped. */
const WATCHED = new Set(
  [
    "all background-color background-image background-position background-size",
    "background-clip bottom box-sizing clip clip-path color color-scheme contain content content-visibility display filter",
    "aspect-ratio flex flex-direction flex-flow float font-size font-size-adjust grid-template-columns grid-template-rows height left letter-spacing line-height margin-left margin-right margin-top mask-image",
    "max-height max-width min-height min-width mix-blend-mode offset-path opacity overflow-x overflow-y padding-bottom",
    "padding-left padding-right padding-top position right rotate scale text-indent text-shadow top transform",
    "translate visibility width z-index zoom -webkit-text-fill-color -webkit-text-security -webkit-text-stroke",
    "animation-name -webkit-line-clamp",
    `transform-origin ${PSEUDO_SHEET}`,
  ].flatMap((line) => line.split(" ")),
);

/** Inherited properties with their initial values. */
export const INHERITED: ReadonlyMap<string, string> = new Map([
  ["color", "canvastext"],
  ["color-scheme", "normal"],
  ["font-size", "medium"],
  ["font-size-adjust", "none"],
  ["letter-spacing", "normal"],
  ["line-height", "normal"],
  ["text-indent", "0"],
  ["text-shadow", "none"],
  ["visibility", "visible"],
  ["-webkit-text-fill-color", "currentcolor"],
  ["-webkit-text-security", "none"],
  ["-webkit-text-stroke", "0"],
]);

/** Properties that only decide how text and its ground are painted; most others may place or size a box. */
const PAINTS = new Set(
  [
    "background-clip background-color background-image background-position background-size color",
    "color-scheme filter mask-image mix-blend-mode opacity text-shadow -webkit-text-fill-color",
    "-webkit-text-stroke",
  ].flatMap((line) => line.split(" ")),
);
const isText = (property: string) =>
  /^(font-size|font-size-adjust|letter-spacing|line-height|text-indent|visibility)$/.test(property);

export const isPaint = (property: string) => PAINTS.has(property);
export const isBox = (property: string) => !PAINTS.has(property) && !isText(property);

/** Aliases of properties: with a browser's prefix, or relative to the writing direction, which is assumed to be left to right. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...["transform", "filter", "clip-path", "mask-image"]
    .concat(["animation", "background-clip", "background-size"])
    .concat([...WATCHED].filter((name) => name.startsWith("animation-")))
    .flatMap((name) => [
      [`-webkit-${name}`, name] as const,
      [`-moz-${name}`, name] as const,
      [`-ms-${name}`, name] as const,
    ]),
  ...["margin", "padding", "inset"].flatMap((name) =>
    (["inline-start left", "inline-end right", "block-start top", "block-end bottom"] as const).map(
      (pair) => {
        const [flow = "", side = ""] = pair.split(" ");
        return [`${name}-${flow}`, name === "inset" ? side : `${name}-${side}`] as const;
      },
    ),
  ),
  ...["", "max-", "min-"].flatMap((bound) => [
    [`${bound}inline-size`, `${bound}width`] as const,
    [`${bound}block-size`, `${bound}height`] as const,
  ]),
  ["-webkit-text-stroke-width", "-webkit-text-stroke"],
  ["mask", "mask-image"],
  ["-webkit-mask", "mask-image"],
  ["overflow-inline", "overflow-x"],
  ["overflow-block", "overflow-y"],
]);

const SHORTHANDS = new Set(
  [
    "animation background font inset inset-block inset-inline margin margin-block margin-inline overflow padding",
    "padding-block padding-inline",
  ].flatMap((line) => line.split(" ")),
);

export const plainName = (property: string) => NAMES.get(property) ?? property;

export const isShorthand = (property: string) => SHORTHANDS.has(plainName(property));

export const isWatched = (property: string) =>
  property.startsWith("--") || WATCHED.has(plainName(property)) || isShorthand(property);

export const isLonghand = (property: string) => WATCHED.has(property);
