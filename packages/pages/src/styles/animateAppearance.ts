import { type Appearance, findHidingReason } from "./appearance.js";
import type { Frame } from "./listRules.js";
import type { Declaration } from "./parseSheet.js";
import { readAnimation } from "./readAnimation.js";

/** The share of an animation's cycle for which text may be hidden; text that is hidden for longer is not there to be read. */
const MAX_HIDDEN_SHARE = 0.8;
const MAX_STEPS = 20;

/**
 * The appearance that an animation leaves, if the element has one. `compute` gives the element's appearance with declarations
 * of an animation added.
 */
export function animateAppearance(
  around: Appearance,
  compute: (declarations: readonly Declaration[]) => Appearance,
  frames: ReadonlyMap<string, readonly Frame[]>,
): Appearance {
  const still = compute([]);
  if (frames.size === 0 || !still.style.get("animation-name")) return still;
  const { lasting, steps } = readAnimation(still.style, frames);
  const appearance = lasting.length === 0 ? still : compute(lasting);
  if (steps.length === 0 || findHidingReason(around) !== null) return appearance;
  const moments = addFirstAndLast(steps).map(({ at, declarations }) => {
    const then = compute(declarations);
    return { at, then, isHidden: findHidingReason(then) !== null };
  });
  const [first] = moments;
  if (first && moments.every(({ isHidden }) => isHidden)) return first.then;
  const hiddenShare = moments.reduce((sum, { at, isHidden }, index) => {
    const next = moments[index + 1];
    return sum + (isHidden && next?.isHidden ? next.at - at : 0);
  }, 0);
  if (hiddenShare < MAX_HIDDEN_SHARE) return appearance;
  return { ...appearance, unclear: appearance.unclear ?? "animation" };
}

/** Where an animation names no first or last step, the element's own style takes its place. */
function addFirstAndLast(steps: readonly Frame[]): Frame[] {
  const named = steps.slice(0, MAX_STEPS);
  const missing = [0, 1].filter((at) => !named.some((step) => step.at === at));
  return [...named, ...missing.map((at) => ({ at, declarations: [] }))].sort(
    (one, other) => one.at - other.at,
  );
}
