import type { ComputedStyle } from "./computeStyle.js";
import { measure } from "./measure.js";
import { type Ground, paintGround } from "./paintGround.js";
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
import { listFunctions, splitCommas, splitSpaces } from "./splitCss.js";
import { createStyleReader, type StyleReader } from "./styleReader.js";

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
  /** From 0 to 1, of everything around it. */
  readonly opacity: number;
  /** Radius in CSS pixels. */
  readonly blur: number;
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
  opacity: 1,
  blur: 0,
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
/** The numbers in a value, without its colours and regardless of their unit. */
const lengthsIn = (value: string) =>
  splitSpaces(value)
    .map(Number.parseFloat)
    .filter((number) => !Number.isNaN(number));

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
  const { opacity, blur } = readFading(grounds, sizes);
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
    opacity: base.opacity * opacity,
    blur: base.blur + blur,
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
  // A shadow inside of the box, or a picture of its border, may lie under all of the text.
  const inset = splitCommas(read.word("box-shadow", "none")).find((shadow) => /\binset\b/.test(shadow)) ?? "";
  if (lengthsIn(inset).some((length) => Math.abs(length) >= FAR_IN_PX))
    read.understood<null>("box-shadow", undefined, null);
  if (/\bfill\b/.test(read.word("border-image", "none")))
    read.understood<null>("border-image", undefined, null);
  const behind = base.ground;
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

/** What fades text: its opacity, and of its filters those that can hide it. Effects that are not worked out are doubts. */
function readFading(read: StyleReader, sizes: Sizes): { opacity: number; blur: number } {
  const doubt = (property: string) => read.understood<null>(property, undefined, null);
  let opacity = read.understood("opacity", shareOf(read.word("opacity", "1"), sizes), 1);
  let blur = 0;
  const filter = read.word("filter", "none");
  // Only Internet Explorer knows `progid:` and a bare `alpha()`.
  const filters = /^(none$|progid:|alpha\()/.test(filter) ? [] : listFunctions(filter);
  if (filters === undefined) doubt("filter");
  for (const { name, inside } of filters ?? []) {
    const amount = measure(inside === "" ? "1" : inside, { ...sizes, percentOf: 1 });
    if (name === "opacity") opacity *= Math.min(1, amount ?? 1);
    else if (name === "blur") blur += inside === "" ? 0 : (amount ?? 0);
    else if (name === "invert" ? (amount ?? 1) > 0.2 : changesContrast(name, amount)) doubt("filter");
  }
  if (read.word("mix-blend-mode", "normal") !== "normal") doubt("mix-blend-mode");
  if (splitCommas(read.word("mask-image", "none")).some((image) => image !== "none")) doubt("mask-image");
  return { opacity, blur };
}

/** Filters that leave text readable in any amount are skipped. */
const changesContrast = (name: string, amount: number | undefined) =>
  !/^(grayscale|sepia|saturate|hue-rotate|drop-shadow)$/.test(name) &&
  (amount === undefined || amount < 0.5 || amount > 2);

const shareOf = (value: string, sizes: Sizes): number | undefined => {
  const found = measure(value, { ...sizes, percentOf: 1 });
  return found === undefined ? undefined : Math.min(1, Math.max(0, found));
};

/** Why painted text is not seen: it is transparent or blurred, or has the colour of its ground. Null where it is seen. */
export function findHidingPaint(paint: TextPaint, fontSize: number): "display_none" | "same_colour" | null {
  const { opacity, blur, ground } = paint;
  if (opacity <= MIN_OPACITY) return "display_none";
  if (blur >= Math.max(3, MAX_BLUR * fontSize)) return "display_none";
  return ground.isPicture || isReadable(paint) ? null : "same_colour";
}

/** Whether only a picture, whose colours are not known, can make the text readable. */
export const needsPicture = (paint: TextPaint) => paint.ground.isPicture && !isReadable(paint);

function isReadable({ colour, fill, stroke, shadows, cutOut, ground, opacity }: TextPaint): boolean {
  const face = fill ?? colour;
  const faces = cutOut === null ? [face] : cutOut.map((through) => layOver(face, through));
  const letters = [...faces, ...(stroke === null ? [] : [stroke]), ...shadows];
  return ground.colours.some((own) =>
    letters.some((letter) => contrastOf(layOver(letter, own, letter.alpha * opacity), own) >= MIN_CONTRAST),
  );
}
