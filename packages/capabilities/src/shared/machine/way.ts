import { describe, hasSource, listLeaves, normalize } from "./expression.js";
import type { Value } from "./value.js";

/**
 * Conditions that were met on the way to a point, the last first. Ways have their beginnings in common, and each is compared with many
 * others: so a step keeps what it is compared by.
 */
export interface Way {
  readonly condition: Value;
  readonly outcome: boolean;
  readonly earlier: Way | null;
  /** The same for an equal condition with the same outcome alone. */
  readonly name: string;
  /** How many steps lead to it. */
  readonly depth: number;
  /** Conditions about time up to here, each once. */
  readonly timed: readonly string[];
}

/** After so many ways have met at a point, it is followed without any condition. */
const MAX_MEETINGS = 16;

/** A way to a point that was gone on from. */
export interface Arrival {
  readonly way: Way | null;
  /** How often another way met it there. */
  readonly meetings: number;
}

/** The way that goes on where a condition has an outcome. */
export function goOn(earlier: Way | null, condition: Value, outcome: boolean): Way {
  return {
    condition,
    outcome,
    earlier,
    name: nameStep(condition, outcome),
    depth: (earlier?.depth ?? 0) + 1,
    timed: addTimed(earlier?.timed ?? [], condition, outcome),
  };
}

/** The conditions of a way to a point that the known way met too; the known way itself where it met no others. */
export function listShared({ way, meetings }: Arrival, other: Way | null): Way | null {
  if (way === null || meetings >= MAX_MEETINGS) return null;
  const common = findCommon(way, other);
  if (common === way) return way;
  const known = listSteps(way, common);
  const steps = listSteps(other, common);
  const found = new Set(steps.map(({ name }) => name));
  const names = new Set(known.map(({ name }) => name));
  for (let step = common; step !== null; step = step.earlier) {
    found.add(step.name);
    names.add(step.name);
  }
  if (known.every(({ name }) => found.has(name))) return way;
  // What is computed from here on is made of the values of the other way.
  return steps
    .filter(({ name }) => names.has(name))
    .reduceRight<Way | null>((earlier, { condition, outcome }) => goOn(earlier, condition, outcome), common);
}

/** The steps that two ways began with. */
function findCommon(one: Way | null, other: Way | null): Way | null {
  let [a, b] = [one, other];
  while (a !== b) {
    if ((a?.depth ?? 0) > (b?.depth ?? 0)) a = a?.earlier ?? null;
    else b = b?.earlier ?? null;
  }
  return a;
}

function listSteps(way: Way | null, until: Way | null): Way[] {
  const steps: Way[] = [];
  for (let step = way; step !== null && step !== until; step = step.earlier) steps.push(step);
  return steps;
}

function nameStep(condition: Value, outcome: boolean): string {
  const [asked, isTrue] = normalize(condition, outcome);
  return `${isTrue}:${describe(asked)}`;
}

/** Of answers and the like, which may differ from one time to the next. */
const mayDiffer = (condition: Value): boolean => hasSource(condition, "unknown", "environment", "call");

function addTimed(earlier: readonly string[], condition: Value, outcome: boolean): readonly string[] {
  if (!hasTime(condition)) return earlier;
  const name = `${describe(condition)}=${outcome}`;
  return [name, ...earlier.filter((one) => one !== name)];
}

const timed = new WeakMap<Value, boolean>();

export function hasTime(value: Value): boolean {
  const known = timed.get(value);
  if (known !== undefined) return known;
  const found = listLeaves(value).some(({ sources }) =>
    sources.some(
      (source) => source.from === "environment" && (source.what === "time" || source.what === "number"),
    ),
  );
  timed.set(value, found);
  return found;
}

/** Whether the same condition had another outcome before. Of answers, which may differ from one time to the next, the same one. */
export function isContradiction(way: Way | null, condition: Value, outcome: boolean): boolean {
  if (way === null) return false;
  const [asked, isTrue] = normalize(condition, outcome);
  const isFleeting = mayDiffer(condition);
  const opposite = nameStep(condition, !outcome);
  for (let step: Way | null = way; step !== null; step = step.earlier) {
    // Equal names: the same condition, or an equal one.
    if (step.name !== opposite) continue;
    if (!isFleeting) return true;
    const [earlier, wasTrue] = normalize(step.condition, step.outcome);
    if (earlier === asked && wasTrue !== isTrue) return true;
  }
  return false;
}
