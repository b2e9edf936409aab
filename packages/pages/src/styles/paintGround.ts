import { type Colour, type ColourSetting, layOver, parseColour } from "./parseColour.js";
import { readFunction, splitCommas, splitSpaces } from "./splitCss.js";

/** What is painted behind text. */
export interface Ground {
  /** The known colours behind the text. */
  readonly colours: readonly Colour[];
  /** Whether a picture with unknown colours lies over these. */
  readonly isPicture: boolean;
  /** Whether nothing behind it shows through. */
  readonly isSolid: boolean;
}

const MAX_COLOURS = 12;
/** Alpha from which on nothing shows through that would make text unreadable. */
const OPAQUE = 0.95;

export interface Layers {
  readonly colour: string;
  readonly images: string;
  readonly positions: string;
  readonly sizes: string;
}

/** The ground with a background painted over it; undefined where a colour or a gradient is not understood. */
export function paintGround(around: Ground, layers: Layers, setting: ColourSetting): Ground | undefined {
  const base = parseColour(layers.colour, setting);
  if (base === undefined) return undefined;
  let ground = cover({ ...around, isSolid: false }, [base]);
  // A gradient with a size or a place of its own may leave the box uncovered.
  const isWhole = WHOLE_SIZE.test(layers.sizes) && WHOLE_PLACE.test(layers.positions);
  // The first image is the topmost.
  for (const image of splitCommas(layers.images).reverse()) {
    if (image === "none" || image === "") continue;
    const stops = readStops(image, setting);
    if (stops === "unclear") return undefined;
    ground = stops !== "picture" && isWhole ? cover(ground, stops) : { ...ground, isPicture: true };
  }
  return ground;
}

const WHOLE_SIZE = /^(?:(?:auto|cover|contain|100%)[\s,]*)+$/;
const WHOLE_PLACE = /^(?:(?:left|top|center|0(?:px|%)?|50%)[\s,]*)+$/;

function cover(ground: Ground, colours: readonly Colour[]): Ground {
  if (colours.every(({ alpha }) => alpha === 0)) return ground;
  const mixed = colours.flatMap((upper) => ground.colours.map((lower) => layOver(upper, lower)));
  const isOpaque = colours.every(({ alpha }) => alpha >= OPAQUE);
  return {
    colours: mixed.slice(0, MAX_COLOURS),
    isPicture: ground.isPicture && !isOpaque,
    isSolid: ground.isSolid || isOpaque,
  };
}

/** The colours of a gradient. */
export function readStops(image: string, setting: ColourSetting): readonly Colour[] | "picture" | "unclear" {
  const { name, inside } = readFunction(image) ?? { name: "", inside: "" };
  if (!/^(-webkit-|-moz-|-o-)?(repeating-)?(linear|radial|conic)-gradient$/.test(name))
    return /^(url|src|image|image-set|-webkit-image-set|cross-fade|-webkit-cross-fade|element|paint|-webkit-gradient)$/.test(
      name,
    )
      ? "picture"
      : "unclear";
  const stops: Colour[] = [];
  for (const [index, stop] of splitCommas(inside).entries()) {
    const colours = splitSpaces(stop).flatMap((part) => parseColour(part, setting) ?? []);
    const isShape =
      index === 0 &&
      /^(to|from|at|in|circle|ellipse|closest|farthest|left|right|top|bottom|center|[-+.\d]|calc)/.test(stop);
    const isHint = /^[-+.\d]|^(calc|min|max|clamp)\(/.test(stop);
    if (colours.length === 0 && !isShape && !isHint) return "unclear";
    stops.push(...colours);
  }
  return stops.length === 0 ? "unclear" : stops;
}
