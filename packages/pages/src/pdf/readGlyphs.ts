import type { HiddenKind } from "../styles/appearance.js";
import type { Colour } from "../styles/parseColour.js";
import { type Area, readSight } from "./areas.js";
import {
  EVEN_ODD,
  FILLS,
  PAINTING,
  type PdfFont,
  PICTURES,
  START,
  STROKES,
  type State,
} from "./graphicsState.js";
import { OPS } from "./operations.js";
import { isBox, isPdfGlyph, isRecord, numberOf, readHex } from "./readArguments.js";
import {
  apply,
  contains,
  IDENTITY,
  isMatrix,
  multiply,
  type Shape,
  shapeBox,
  shapeLine,
  shapePath,
} from "./shape.js";

/** One character of a page, or one ligature. */
export interface Glyph {
  readonly text: string;
  /** Where it begins and where the next one would, in units of the page. */
  readonly x: number;
  readonly y: number;
  readonly endX: number;
  readonly endY: number;
  /** The height of its font, in units of the page. */
  readonly size: number;
  /** Why people do not see it. */
  readonly kind: HiddenKind | null;
  readonly doubt: string | null;
}

export interface PageGlyphs {
  readonly glyphs: readonly Glyph[];
  /** Characters whose font does not state which letters they stand for. */
  readonly unread: number;
}

/** The operations of a page, as pdf.js lists them. */
export interface Operations {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

export interface PageSetting {
  /** The part of the page that is shown. */
  readonly view: readonly number[];
  /** 1 for a unit of 1/72 inch. */
  readonly userUnit: number;
  readonly findFont: (name: string) => PdfFont | null;
  readonly isLayerVisible: (group: unknown) => boolean;
}

/** In 1/72 inch; nobody reads smaller text. */
const MIN_SIZE = 1.5;
const MIN_OPACITY = 0.05;
/** Rules between rows are no ground for text. */
const MIN_AREA_SIDE = 1;
/** Characters of private use and control characters. */
const UNKNOWN = /^(?!\s)[\ue000-\uf8ff\ufffd\p{Cc}]/u;

/** Follows the operations of a page and finds each character, its place, and whether people see it. */
export function readGlyphs({ fnArray, argsArray }: Operations, setting: PageSetting): PageGlyphs {
  const found: PaintedGlyph[] = [];
  const areas: Area[] = [];
  const saved: State[] = [];
  /** Whether each open part of marked content is shown. */
  const layers: boolean[] = [];
  let state = START;
  let unread = 0;
  let clipRule: "nonzero" | "evenodd" | null = null;
  /** Where a part began that has painted nothing yet. */
  let emptySince: number | null = null;
  const [left = 0, bottom = 0, right = 0, top = 0] = setting.view;
  const isShown = () => !layers.includes(false);

  function addArea(order: number, shape: Shape, colour: Colour | null, isPicture = false): void {
    const [x0, y0, x1, y1] = shape.box;
    if (state.isMask || !isShown() || x1 - x0 < MIN_AREA_SIDE || y1 - y0 < MIN_AREA_SIDE) return;
    const alpha = state.fillAlpha * state.groupAlpha;
    if (alpha <= MIN_OPACITY) return;
    const isKnown = colour !== null && !state.isBlended && !state.isMasked;
    areas.push({
      order,
      shape,
      colour: isKnown ? { ...colour, alpha } : null,
      isPicture,
      clips: state.clips,
    });
  }

  const addPicture = (order: number) => addArea(order, shapeBox([0, 0, 1, 1], state.matrix), null, true);

  function save(): void {
    saved.push(state);
  }

  function restore(): void {
    state = saved.pop() ?? state;
  }

  function moveText(x: number, y: number): void {
    const [lineX, lineY] = [state.lineX + x, state.lineY + y];
    state = { ...state, lineX, lineY, x: lineX, y: lineY };
  }

  /** Why nobody sees text at this place, apart from its colour. */
  function findHiding(x: number, y: number, size: number): HiddenKind | null {
    const { mode, isMask, groupAlpha, clips } = state;
    const alpha = (mode % 4 === 1 ? state.strokeAlpha : state.fillAlpha) * groupAlpha;
    // Modes 3 and 7 paint nothing (ISO 32000-1, table 106).
    if (mode % 4 === 3 || isMask || !isShown() || alpha <= MIN_OPACITY) return "display_none";
    if (size < MIN_SIZE) return "zero_size";
    const isOnPage = x >= left && x <= right && y >= bottom && y <= top;
    return isOnPage && clips.every((clip) => contains(clip, x, y)) ? null : "off_screen";
  }

  function showText(order: number, items: unknown): void {
    const { font, fontSize, charSpacing, wordSpacing, rise, mode } = state;
    if (!Array.isArray(items)) return;
    if (font === null) {
      unread += 1;
      return;
    }
    const { isVertical } = font;
    const direction = fontSize < 0 ? -1 : 1;
    const height = Math.abs(fontSize);
    const scale = state.scale * direction;
    const whole = multiply(state.matrix, state.textMatrix);
    const [a = 0, b = 0, c = 0, d = 0] = Array.from(whole);
    const unit = font.height * height * setting.userUnit;
    const size = Math.min(unit * Math.hypot(c, d), unit * Math.abs(state.scale) * Math.hypot(a, b));
    const paint =
      mode % 4 === 1 ? withAlpha(state.stroke, state.strokeAlpha) : withAlpha(state.fill, state.fillAlpha);
    let { x, y } = state;
    for (const item of items) {
      let advance = 0;
      let text = "";
      if (typeof item === "number") advance = ((isVertical ? 1 : -1) * item * height) / 1_000;
      else if (isPdfGlyph(item)) {
        const width = isVertical ? -(item.vmetric?.[0] ?? -item.width) : item.width;
        const spacing = (item.isSpace ? wordSpacing : 0) + charSpacing;
        advance = width * height * font.unit + (isVertical ? -1 : 1) * spacing * direction;
        text = item.unicode;
      }
      const from = apply(whole, x, y + rise);
      if (isVertical) y -= advance;
      else x += advance * scale;
      if (text === "") continue;
      const to = apply(whole, x, y + rise);
      // Half as high as small letters are.
      const [midX, midY] = [
        (from[0] + to[0]) / 2 + c * height * 0.25,
        (from[1] + to[1]) / 2 + d * height * 0.25,
      ];
      if (UNKNOWN.test(text)) {
        unread += 1;
        text = "\ufffd";
      }
      found.push({
        text,
        x: from[0],
        y: from[1],
        endX: to[0],
        endY: to[1],
        size,
        kind: findHiding(midX, midY, size),
        doubt: state.isMasked ? "mask" : null,
        order,
        midX,
        midY,
        paint,
      });
    }
    state = { ...state, x, y };
  }

  const withAlpha = (colour: Colour | null, alpha: number) =>
    colour && { ...colour, alpha: alpha * state.groupAlpha };

  function setStates(list: unknown): void {
    if (!Array.isArray(list)) return;
    for (const [key, value] of list as [unknown, unknown][]) {
      if (key === "LW") state = { ...state, lineWidth: numberOf(value, 1) };
      else if (key === "ca") state = { ...state, fillAlpha: numberOf(value, 1) };
      else if (key === "CA") state = { ...state, strokeAlpha: numberOf(value, 1) };
      else if (key === "BM") state = { ...state, isBlended: value !== "source-over" };
      else if (key === "SMask") state = { ...state, isMasked: value !== false && value !== null };
      else if (key === "Font" && Array.isArray(value)) setFont(value[0], value[1]);
    }
  }

  function setFont(name: unknown, size: unknown): void {
    state = { ...state, font: setting.findFont(String(name)), fontSize: numberOf(size, 0) };
  }

  function beginGroup(group: unknown): void {
    save();
    const isMask = state.isMask || (isRecord(group) && Boolean(group.smask));
    const groupAlpha = state.groupAlpha * (isMask ? 1 : state.fillAlpha);
    state = { ...state, isMask, groupAlpha, fillAlpha: 1, strokeAlpha: 1, isBlended: false };
    if (isRecord(group) && isMatrix(group.matrix) && isBox(group.bbox))
      clip(shapeBox(group.bbox, multiply(state.matrix, group.matrix)));
    else if (isRecord(group) && isBox(group.bbox)) clip(shapeBox(group.bbox, state.matrix));
  }

  const clip = (shape: Shape) => {
    state = { ...state, clips: [...state.clips, shape] };
  };

  function beginForm(matrix: unknown, box: unknown): void {
    save();
    if (isMatrix(matrix)) state = { ...state, matrix: multiply(state.matrix, matrix) };
    if (isBox(box)) clip(shapeBox(box, state.matrix));
  }

  function constructPath(order: number, operation: unknown, data: unknown): void {
    const [path] = Array.isArray(data) ? data : [];
    const isPath = Array.isArray(path) || path instanceof Float32Array;
    if (FILLS.has(operation) && isPath)
      addArea(order, shapePath(path, state.matrix, EVEN_ODD.has(operation)), state.fill);
    if (STROKES.has(operation) && isPath) {
      const line = shapeLine(path, state.matrix, state.lineWidth);
      if (line !== null) addArea(order, line, state.stroke);
    }
    if (clipRule !== null) clip(shapePath(isPath ? path : [], state.matrix, clipRule === "evenodd"));
    clipRule = null;
  }

  for (let order = 0; order < fnArray.length; order += 1) {
    const operation = fnArray[order];
    const list = argsArray[order];
    const args: readonly unknown[] = Array.isArray(list) ? list : [];
    const number = (index: number) => numberOf(args[index], 0);
    switch (operation) {
      case OPS.save:
        save();
        emptySince = saved.length;
        break;
      case OPS.restore:
        // pdf.js leaves pictures out; each leaves behind a part that moves and paints nothing.
        if (emptySince === saved.length && state.matrix !== saved.at(-1)?.matrix) addPicture(order);
        emptySince = null;
        restore();
        break;
      case OPS.transform:
        if (isMatrix(args)) state = { ...state, matrix: multiply(state.matrix, args) };
        break;
      case OPS.setLineWidth:
        state = { ...state, lineWidth: number(0) };
        break;
      case OPS.setGState:
        setStates(args[0]);
        break;
      case OPS.setFillRGBColor:
        state = { ...state, fill: readHex(args[0]) };
        break;
      case OPS.setStrokeRGBColor:
        state = { ...state, stroke: readHex(args[0]) };
        break;
      case OPS.setFillColorN:
        state = { ...state, fill: null };
        break;
      case OPS.setStrokeColorN:
        state = { ...state, stroke: null };
        break;
      case OPS.clip:
        clipRule = "nonzero";
        break;
      case OPS.eoClip:
        clipRule = "evenodd";
        break;
      case OPS.constructPath:
        constructPath(order, args[0], args[1]);
        break;
      case OPS.shadingFill:
        addArea(order, shapeBox([left, bottom, right, top], IDENTITY), null);
        break;
      case OPS.beginGroup:
        beginGroup(args[0]);
        break;
      case OPS.endGroup:
      case OPS.paintFormXObjectEnd:
        restore();
        break;
      case OPS.paintFormXObjectBegin:
        beginForm(args[0], args[1]);
        break;
      case OPS.beginMarkedContent:
        layers.push(true);
        break;
      case OPS.beginMarkedContentProps:
        layers.push(args[0] !== "OC" || setting.isLayerVisible(args[1]));
        break;
      case OPS.endMarkedContent:
        layers.pop();
        break;
      case OPS.beginText:
        state = { ...state, textMatrix: IDENTITY, lineX: 0, lineY: 0, x: 0, y: 0 };
        break;
      case OPS.setTextMatrix:
        if (isMatrix(args[0])) state = { ...state, textMatrix: args[0], lineX: 0, lineY: 0, x: 0, y: 0 };
        break;
      case OPS.setFont:
        setFont(args[0], args[1]);
        break;
      case OPS.setTextRenderingMode:
        state = { ...state, mode: number(0) };
        break;
      case OPS.setCharSpacing:
        state = { ...state, charSpacing: number(0) };
        break;
      case OPS.setWordSpacing:
        state = { ...state, wordSpacing: number(0) };
        break;
      case OPS.setHScale:
        state = { ...state, scale: number(0) / 100 };
        break;
      case OPS.setTextRise:
        state = { ...state, rise: number(0) };
        break;
      case OPS.setLeading:
        state = { ...state, leading: number(0) };
        break;
      case OPS.setLeadingMoveText:
        state = { ...state, leading: -number(1) };
        moveText(number(0), number(1));
        break;
      case OPS.moveText:
        moveText(number(0), number(1));
        break;
      case OPS.nextLine:
        moveText(0, -state.leading);
        break;
      case OPS.showText:
        showText(order, args[0]);
        break;
      default:
        if (PICTURES.has(operation)) addPicture(order);
    }
    const isPath = operation === OPS.constructPath && args[0] !== OPS.endPath;
    if (isPath || PAINTING.has(operation)) emptySince = null;
  }
  const glyphs = found.map((glyph): Glyph => {
    if (glyph.kind !== null || glyph.text.trim() === "") return glyph;
    const { order, midX, midY, paint } = glyph;
    const sight = readSight({ order, x: midX, y: midY, colour: paint }, areas);
    return { ...glyph, kind: sight.kind, doubt: glyph.doubt ?? sight.doubt };
  });
  return { glyphs, unread };
}

interface PaintedGlyph extends Glyph {
  readonly order: number;
  /** Its middle. */
  readonly midX: number;
  readonly midY: number;
  readonly paint: Colour | null;
}
