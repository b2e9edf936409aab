import { blendOver, type ColourMap, readFilter } from "./colourEffects.js";
import type { ComputedStyle } from "./computeStyle.js";
import { type Ground, paintGround, readStops } from "./paintGround.js";
import {
  BLACK,
  type Colour,
  type ColourSetting,
  contrastOf,
  DARK,
  layOver,
  parseColour,
  WHITE,
} from "./parseColour.js";
import { splitCommas, splitSpaces } from "./splitCss.js";
import { createStyleReader, type StyleReader } from "./styleReader.js";

/** Parts of a page that are drawn together and then composited with what is behind them. */
interface Group {
  readonly opacity: number;
  readonly blur: number;
  readonly maps: readonly ColourMap[];
  readonly blend: string;
  readonly backdrop: Ground;
  /** Whether the ground of the text is part of the group. */
  readonly hasGround: boolean;
}

/** The colours of text and of the ground behind it. */
export interface TextPaint {
  readonly isDark: boolean;
  readonly colour: Colour;
  /** Null where letters are filled with `colour`. */
  readonly fill: Colour | null;
  readonly stroke: Colour | null;
  readonly shadows: readonly Colour[];
  /** The background that fills the letters (`background-clip: text`); null for ordinary letters. */
  readonly cutOut: readonly Colour[] | null;
  readonly ground: Ground;
  readonly group: Group | null;
  readonly unclearColour: string | null;
  readonly unclearGround: string | null;
}

export const INITIAL_PAINT: TextPaint = {
  isDark: false,
  colour: BLACK,
  fill: null,
  stroke: null,
  shadows: [],
  cutOut: null,
  ground: { colours: [WHITE], isPicture: false, isSolid: true },
  group: null,
  unclearColour: null,
  unclearGround: null,
};

const MIN_OPACITY = 0.05;
/** Grey text on white has 4 or more, disabled text 1.5; below this, text cannot be read. */
const MIN_CONTRAST = 1.2;
/** As a factor of the font size: letters that are blurred more are only spots. */
const MAX_BLUR = 0.25;
/** Inset shadows of this size or more may reach the text. */
const FAR_IN_PX = 10;
const CLEAR: Colour = { ...BLACK, alpha: 0 };

type Sizes = { readonly fontSize: number; readonly rootFontSize: number };

/** How text inside an element is painted; `style` is the element's own. */
export function paintText(
  around: TextPaint,
  style: ComputedStyle,
  sizes: Sizes,
  isQuirks: boolean,
  isRoot: boolean,
): TextPaint {
  const scheme = style.get("color-scheme");
  const isDark = scheme === undefined ? around.isDark : /\bdark\b/.test(scheme) && !/\blight\b/.test(scheme);
  const canvas: Ground = { colours: [isDark ? DARK : WHITE], isPicture: false, isSolid: true };
  const base: TextPaint = isRoot && isDark ? { ...around, colour: WHITE, ground: canvas } : around;
  const letters = paintLetters(base, style, sizes, { current: base.colour, isDark, isQuirks });
  const setting: ColourSetting = { current: letters.colour, isDark, isQuirks };
  const grounds = createStyleReader(style, sizes);
  const group = openGroup(base, style, grounds, sizes, setting);
  const painted = paintBehind(base, grounds, setting);
  const isOwn = painted.ground !== base.ground;
  const cutOut = painted.cutOut ?? (letters.hasColour ? null : base.cutOut);
  return {
    isDark,
    colour: letters.colour,
    fill: letters.fill,
    stroke: letters.stroke,
    shadows: letters.shadows,
    cutOut,
    ground: painted.ground,
    group: group && isOwn ? { ...group, hasGround: true } : group,
    unclearColour: letters.unclear,
    unclearGround: grounds.unclear() ?? (isOwn && !painted.ground.isPicture ? null : base.unclearGround),
  };
}

interface Letters extends Pick<TextPaint, "colour" | "fill" | "stroke" | "shadows"> {
  readonly hasColour: boolean;
  readonly unclear: string | null;
}

function paintLetters(base: TextPaint, style: ComputedStyle, sizes: Sizes, setting: ColourSetting): Letters {
  const read = createStyleReader(style, sizes);
  const given = read.word("color", "");
  const colour =
    given === "" ? base.colour : read.understood("color", parseColour(given, setting), base.colour);
  const own = { ...setting, current: colour };
  const filled = read.word("-webkit-text-fill-color", "");
  const isPlain = filled === "currentcolor";
  const fill =
    filled === ""
      ? base.fill
      : isPlain
        ? null
        : read.understood("-webkit-text-fill-color", parseColour(filled, own), null);
  const width = read.length("-webkit-text-stroke-width", 0);
  const stroked = parseColour(read.word("-webkit-text-stroke-color", "currentcolor"), own) ?? null;
  const shadow = read.word("text-shadow", "");
  const hasColour = given !== "" || filled !== "";
  return {
    colour,
    fill,
    stroke: width === null ? base.stroke : width > 0 ? stroked : null,
    shadows: shadow === "" ? base.shadows : listShadows(shadow, sizes, own),
    hasColour,
    unclear: read.unclear() ?? (hasColour ? null : base.unclearColour),
  };
}

/** Colours of shadows that are close to their letters and sharp enough to be read. */
function listShadows(value: string, { fontSize }: Sizes, setting: ColourSetting): Colour[] {
  return splitCommas(value).flatMap((shadow) => {
    const parts = splitSpaces(shadow);
    const numbers = parts.map(Number.parseFloat).filter((number) => !Number.isNaN(number));
    const [x = 0, y = 0, blur = 0] = numbers;
    const isNear = Math.abs(x) <= fontSize && Math.abs(y) <= fontSize && blur <= fontSize / 2;
    const colour = parts.flatMap((part) =>
      /^[-+.\d]/.test(part) ? [] : (parseColour(part, setting) ?? []),
    )[0];
    return numbers.length >= 2 && isNear ? [colour ?? setting.current] : [];
  });
}

function paintBehind(
  base: TextPaint,
  read: StyleReader,
  setting: ColourSetting,
): { ground: Ground; cutOut: readonly Colour[] | null } {
  const layers = {
    colour: read.word("background-color", "transparent"),
    images: read.word("background-image", "none"),
    positions: read.word("background-position", "0 0"),
    sizes: read.word("background-size", "auto"),
  };
  const clips = splitCommas(read.word("background-clip", "border-box"));
  const backdrop = read.understood("backdrop-filter", readFilter(read.word("backdrop-filter", "none"), 16), {
    opacity: 1,
    blur: 0,
    map: null,
  });
  const reaches = (value: string) => lengthsIn(value).some((length) => Math.abs(length) >= FAR_IN_PX);
  const shadow = splitCommas(read.word("box-shadow", "none")).find((each) => /\binset\b/.test(each));
  if (shadow !== undefined && reaches(shadow)) read.understood<null>("box-shadow", undefined, null);
  if (/\bfill\b/.test(read.word("border-image", "none")))
    read.understood<null>("border-image", undefined, null);
  const { map } = backdrop;
  const behind = map === null ? base.ground : { ...base.ground, colours: base.ground.colours.map(map) };
  if (layers.colour === "transparent" && layers.images === "none") return { ground: behind, cutOut: null };
  const painted = paintGround(behind, layers, setting);
  if (painted === undefined) {
    const isImage = parseColour(layers.colour, setting) !== undefined;
    read.understood(isImage ? "background-image" : "background-color", undefined, null);
    return { ground: behind, cutOut: null };
  }
  return clips.every((clip) => clip === "text")
    ? { ground: behind, cutOut: painted.isPicture ? [BLACK, WHITE] : painted.colours }
    : { ground: painted, cutOut: null };
}

function openGroup(
  base: TextPaint,
  style: ComputedStyle,
  read: StyleReader,
  sizes: Sizes,
  setting: ColourSetting,
): Group | null {
  const given = read.word("opacity", "1");
  const opacity = read.understood("opacity", shareOf(given), 1);
  const filter = read.understood("filter", readFilter(read.word("filter", "none"), sizes.fontSize), {
    opacity: 1,
    blur: 0,
    map: null,
  });
  const mask = readMask(style, read, setting);
  const blend = read.word("mix-blend-mode", "normal");
  const shown = opacity * filter.opacity * mask;
  if (shown >= 1 && filter.blur === 0 && filter.map === null && blend === "normal") return base.group;
  const outer: Group = base.group ?? {
    opacity: 1,
    blur: 0,
    maps: [],
    blend: "normal",
    backdrop: base.ground,
    hasGround: false,
  };
  return {
    ...outer,
    opacity: outer.opacity * Math.max(0, shown),
    blur: outer.blur + filter.blur,
    maps: filter.map === null ? outer.maps : [filter.map, ...outer.maps],
    blend: outer.blend === "normal" ? blend : outer.blend,
  };
}

function shareOf(value: string): number | undefined {
  const reader = createStyleReader(
    { get: () => value, unclear: new Set() },
    { fontSize: 16, rootFontSize: 16 },
  );
  const found = reader.length("opacity", 1);
  return found === null ? undefined : Math.min(1, Math.max(0, found));
}

/** The numbers in a value, without its colours and regardless of their unit. */
const lengthsIn = (value: string) =>
  splitSpaces(value.replaceAll(",", " , "))
    .map(Number.parseFloat)
    .filter((number) => !Number.isNaN(number));

/** The greatest share that a mask lets through, from 0 to 1. */
function readMask(style: ComputedStyle, read: StyleReader, setting: ColourSetting): number {
  const images = splitCommas(read.word("mask-image", "none"));
  if (images.every((image) => image === "none")) return 1;
  if (lengthsIn(read.word("mask-position", "0 0")).some((length) => length < 0 || length > 100))
    read.understood<null>("mask-position", undefined, null);
  const sizes = splitCommas(style.get("mask-size") ?? "auto");
  const shares = images.map((image, index) => {
    if (/^0(px|%)?(\s|$)|\s0(px|%)?$/.test(sizes[index % sizes.length] ?? "auto")) return 0;
    if (image === "none") return 0;
    const stops = readStops(image, setting);
    if (typeof stops !== "string") return Math.max(...stops.map(({ alpha }) => alpha));
    return read.understood("mask-image", undefined, 1);
  });
  return Math.max(...shares);
}

/** Why painted text is not seen: it is transparent or blurred, or has the colour of its ground. Null where it is seen. */
export function findHidingPaint(paint: TextPaint, fontSize: number): "display_none" | "same_colour" | null {
  const { group, ground } = paint;
  if (group && group.opacity <= MIN_OPACITY) return "display_none";
  if (group && group.blur >= Math.max(3, MAX_BLUR * fontSize)) return "display_none";
  return ground.isPicture || isReadable(paint) ? null : "same_colour";
}

/** Whether only a picture, whose colours are not known, can make the text readable. */
export const needsPicture = (paint: TextPaint) => paint.ground.isPicture && !isReadable(paint);

function isReadable({ colour, fill, stroke, shadows, cutOut, ground, group }: TextPaint): boolean {
  const face = fill ?? colour;
  const faces = cutOut === null ? [face] : cutOut.map((through) => layOver(face, through));
  const letters = [...faces, ...(stroke === null ? [] : [stroke]), ...shadows];
  const show = (drawn: Colour, behind: Colour, share: number) => {
    if (group === null) return layOver(drawn, behind, share);
    const mapped = group.maps.reduce((last, map) => map(last), drawn);
    return layOver(blendOver(group.blend, mapped, behind), behind, share * group.opacity);
  };
  const grounds = ground.colours.flatMap((own) =>
    group === null ? [{ own, behind: own }] : group.backdrop.colours.map((behind) => ({ own, behind })),
  );
  return grounds.some(({ own, behind }) =>
    letters.some((letter) => {
      if (group?.hasGround)
        return contrastOf(show(layOver(letter, own), behind, 1), show(own, behind, 1)) >= MIN_CONTRAST;
      return contrastOf(show(letter, behind, letter.alpha), show(CLEAR, behind, 0)) >= MIN_CONTRAST;
    }),
  );
}
