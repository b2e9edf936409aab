import type { ComputedStyle } from "./computeStyle.js";
import type { Frame } from "./listRules.js";
import { measure } from "./measure.js";
import type { Declaration } from "./parseSheet.js";
import { splitCommas } from "./splitCss.js";

export interface Animated {
  /** The declarations that stay on the element for as long as people read. */
  readonly lasting: readonly Declaration[];
  /** Every step of an animation that never ends or follows the scroll bar: readers see some of them. */
  readonly steps: readonly Frame[];
}

/** People do not wait longer for a text to appear. */
const MAX_WAIT_SECONDS = 20;
const NONE: Animated = { lasting: [], steps: [] };

/** The effect of an element's animations on its style once they have run for a while. */
export function readAnimation(
  style: Pick<ComputedStyle, "get">,
  frames: ReadonlyMap<string, readonly Frame[]>,
): Animated {
  const names = splitCommas(style.get("animation-name") ?? "none");
  if (names.every((name) => !frames.has(name))) return NONE;
  const read = (property: string, index: number, otherwise: string) => {
    const list = splitCommas(style.get(`animation-${property}`) ?? otherwise);
    return list[index % list.length] ?? otherwise;
  };
  const seconds = (text: string) => measure(text, { fontSize: 16, rootFontSize: 16, percentOf: 0 }) ?? 0;
  const lasting: Declaration[] = [];
  const steps: Frame[] = [];
  for (const [index, name] of names.entries()) {
    const list = frames.get(name);
    if (!list || list.length === 0) continue;
    const direction = read("direction", index, "normal");
    const fill = read("fill-mode", index, "none");
    const count = read("iteration-count", index, "1");
    const delay = seconds(read("delay", index, "0s"));
    const duration = seconds(read("duration", index, "0s"));
    const at = (share: number) =>
      list.filter((frame) => frame.at === share).flatMap(({ declarations }) => declarations);
    const start = direction.endsWith("reverse") ? 1 : 0;
    const turns = Number.parseFloat(count);
    const isBack = direction.startsWith("alternate") ? Math.ceil(turns) % 2 === 0 : false;
    const end = isBack ? start : 1 - start;
    if (!/^(auto|none)$/.test(read("timeline", index, "auto"))) steps.push(...list);
    else if (delay > MAX_WAIT_SECONDS) lasting.push(...(/^(backwards|both)$/.test(fill) ? at(start) : []));
    else if (read("play-state", index, "running") === "paused") lasting.push(...(delay > 0 ? [] : at(start)));
    else if (duration > MAX_WAIT_SECONDS && duration + delay > MAX_WAIT_SECONDS) lasting.push(...at(start));
    else if (count === "infinite") steps.push(...(duration > 0 ? list : []));
    else if (/^(forwards|both)$/.test(fill)) lasting.push(...at(turns === 0 ? start : end));
  }
  return { lasting, steps };
}
