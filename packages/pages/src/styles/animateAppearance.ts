import { type Appearance, findHidingReason } from "./appearance.js";
import type { ComputedStyle } from "./computeStyle.js";
import type { Frame } from "./listRules.js";
import { measure } from "./measure.js";
import type { Declaration } from "./parseSheet.js";
import { splitCommas } from "./splitCss.js";

/** People do not wait longer for a text to appear. */
const MAX_WAIT_SECONDS = 20;

/**
 * The appearance that an animation leaves, if the element has one: pages fade their text in. `compute` gives the element's
 * appearance with declarations of an animation added.
 */
export function animateAppearance(
  compute: (declarations: readonly Declaration[]) => Appearance,
  frames: ReadonlyMap<string, readonly Frame[]>,
): Appearance {
  const still = compute([]);
  if (frames.size === 0 || !still.style.get("animation-name")) return still;
  const { lasting, isEndless } = readAnimation(still.style, frames);
  const appearance = lasting.length === 0 ? still : compute(lasting);
  // Text that an endless animation hides at times may be hidden for nearly all of the time.
  return isEndless && findHidingReason(appearance) !== null && findHidingReason(still) === null
    ? { ...still, unclear: still.unclear ?? "animation" }
    : appearance;
}

/** The declarations that stay on the element for as long as people read; those of the first step where it never ends. */
function readAnimation(style: Pick<ComputedStyle, "get">, frames: ReadonlyMap<string, readonly Frame[]>) {
  const lasting: Declaration[] = [];
  let isEndless = false;
  const seconds = (text: string) => measure(text, { fontSize: 16, rootFontSize: 16, percentOf: 0 }) ?? 0;
  for (const [index, name] of splitCommas(style.get("animation-name") ?? "none").entries()) {
    const list = frames.get(name) ?? [];
    const read = (property: string, otherwise: string) => {
      const values = splitCommas(style.get(`animation-${property}`) ?? otherwise);
      return values[index % values.length] ?? otherwise;
    };
    const at = (share: number) =>
      list.filter((frame) => frame.at === share).flatMap(({ declarations }) => declarations);
    const [direction, fill, count] = [
      read("direction", "normal"),
      read("fill-mode", "none"),
      read("iteration-count", "1"),
    ];
    const [delay, duration] = [seconds(read("delay", "0s")), seconds(read("duration", "0s"))];
    const start = direction.endsWith("reverse") ? 1 : 0;
    const isBack = direction.startsWith("alternate") && Math.ceil(Number.parseFloat(count)) % 2 === 0;
    const isScrolled = !/^(auto|none)$/.test(read("timeline", "auto"));
    const isStopped = read("play-state", "running") === "paused";
    if (isScrolled || (count === "infinite" && duration > 0 && !isStopped)) {
      isEndless = true;
      lasting.push(...at(start));
    } else if (delay > MAX_WAIT_SECONDS) lasting.push(...(/^(backwards|both)$/.test(fill) ? at(start) : []));
    else if (isStopped) lasting.push(...(delay > 0 ? [] : at(start)));
    else if (duration > MAX_WAIT_SECONDS) lasting.push(...at(start));
    else if (/^(forwards|both)$/.test(fill)) lasting.push(...at(isBack ? start : 1 - start));
  }
  return { lasting, isEndless };
}
