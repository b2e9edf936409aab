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
import { splitCommas, splitSpaces } from "./splitCss.js";
import { createStyleReader, type StyleReader } from "./styleReader.js";

/** The colours of text and of the ground behind it. */
export interface TextPaint {
  readonly isDark: boolean;
  readonly colour: Colour;
  /** Null where letters are filled with `colour`. */
  readonly fill: Colour | null;
  readonly shadows: readonly Colour[];
  /** Letters have a stroke, which may make them readable where their colour does not; whether it does is not worked out. */
  readonly isStroked: boolean;
  /** The background that fills the letters (`background-clip: text`); null for ordinary letters. */
  readonly cutOut: readonly Colour[] | null;
  readonly ground: Ground;
  /** From 0 to 1, of everything around it. */
  readonly opacity: number;
  readonly unclearColour: string | null;
  readonly unclearGround: string | null;
}

export const INITIAL_PAINT: TextPaint = {
  isDark: false,
  colour: BLACK,
  fill: null,
  shadows: [],
  isStroked: false,
  cutOut: null,
  ground: { colours: [WHITE], isPicture: false, isSolid: true },
  opacity: 1,
  unclearColour: null,
  unclearGround: null,
};

const MIN_OPACITY = 0.05;
/** Grey text on white has 4 or more, disabled text 1.5; below this, text cannot be read. */
const MIN_CONTRAST = 1.2;

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
  const opacity = readOpacity(grounds, sizes);
  const painted = paintBehind(base, grounds, setting);
  const isOwn = painted.ground !== base.ground;
  const cutOut = painted.cutOut ?? (letters.hasColour ? null : base.cutOut);
  return {
    isDark,
    colour: letters.colour,
    fill: letters.fill,
    shadows: letters.shadows,
    isStroked: letters.isStroked,
    cutOut,
    ground: painted.ground,
    opacity: base.opacity * opacity,
    unclearColour: letters.unclear,
    unclearGround: grounds.unclear() ?? (isOwn && !painted.ground.isPicture ? null : base.unclearGround),
  };
}

interface Letters extends Pick<TextPaint, "colour" | "fill" | "shadows" | "isStroked"> {
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
  const hasColour = given !== "" || filled !== "";
  const shadow = read.word("text-shadow", "");
  const stroke = read.word("-webkit-text-stroke", "");
  return {
    colour,
    fill,
    shadows: shadow === "" ? base.shadows : listShadows(shadow, sizes, own),
    isStroked: stroke === "" ? base.isStroked : !/^(?:none|0(?:px)?)$/.test(stroke),
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

/** What fades text is its opacity. Whether other effects hide it is not worked out: they are doubts, unless they are harmless. */
function readOpacity(read: StyleReader, sizes: Sizes): number {
  for (const [property, isDoubtful] of EFFECTS)
    if (isDoubtful.test(read.word(property, "none"))) read.understood<null>(property, undefined, null);
  return read.understood("opacity", shareOf(read.word("opacity", "1"), sizes), 1);
}

const EFFECTS: readonly (readonly [property: string, isDoubtful: RegExp])[] = [
  ["filter", /(?:^|\s)(?:blur|opacity|contrast|invert|url)\(|brightness\((?:0|\.[0-4]|[1-4]?\d%)/],
  ["mix-blend-mode", /^(?!none$|normal$)/],
  ["mask-image", /\(/],
];

const shareOf = (value: string, sizes: Sizes): number | undefined => {
  const found = measure(value, { ...sizes, percentOf: 1 });
  return found === undefined ? undefined : Math.min(1, Math.max(0, found));
};

/** Why painted text is not seen: it is transparent, or has the colour of its ground. Null where it is seen. */
export function findHidingPaint(paint: TextPaint): "display_none" | "same_colour" | null {
  const { opacity, ground, isStroked } = paint;
  if (opacity <= MIN_OPACITY) return "display_none";
  return ground.isPicture || isStroked || isReadable(paint) ? null : "same_colour";
}

/** What alone can make the text readable: a stroke, or a picture, whose colours are not known. */
export function findNeeded(paint: TextPaint): "stroke" | "picture" | null {
  const needed = paint.isStroked ? "stroke" : paint.ground.isPicture ? "picture" : null;
  return needed === null || isReadable(paint) ? null : needed;
}

function isReadable({ colour, fill, shadows, cutOut, ground, opacity }: TextPaint): boolean {
  const face = fill ?? colour;
  const faces = cutOut === null ? [face] : cutOut.map((through) => layOver(face, through));
  return ground.colours.some((own) =>
    [...faces, ...shadows].some(
      (letter) => contrastOf(layOver(letter, own, letter.alpha * opacity), own) >= MIN_CONTRAST,
    ),
  );
}
