import { describe, hasSource, listLeaves, normalize } from "./expression.js";
import type { Value } from "./value.js";

/** Conditions that were met on the way to a point, the last first. */
export interface Way {
  readonly condition: Value;
  readonly outcome: boolean;
  readonly earlier: Way | null;
}

/** After so many ways have met at a point, it is followed without any condition. */
const MAX_MEETINGS = 16;

/** A way to a point that was gone on from. */
export interface Arrival {
  readonly way: Way | null;
  /** How often another way met it there. */
  readonly meetings: number;
}

/** The conditions of a way to a point that the known way met too; the known way itself where it met no others. */
export function listShared({ way, meetings }: Arrival, other: Way | null): Way | null {
  if (way === null || meetings >= MAX_MEETINGS) return null;
  const known = listSteps(way);
  const names = new Set(known.map(nameStep));
  const steps = listSteps(other);
  const found = new Set(steps.map(nameStep));
  if (known.every((step) => found.has(nameStep(step)))) return way;
  // What is computed from here on is made of the values of the other way.
  return steps
    .filter((step) => names.has(nameStep(step)))
    .reduceRight<Way | null>((earlier, { condition, outcome }) => ({ condition, outcome, earlier }), null);
}

function listSteps(way: Way | null): Way[] {
  const steps: Way[] = [];
  for (let step = way; step !== null; step = step.earlier) steps.push(step);
  return steps;
}

function nameStep({ condition, outcome }: Way): string {
  const [asked, isTrue] = normalize(condition, outcome);
  return `${isTrue}:${describe(asked)}`;
}

/** Of answers and the like, which may differ from one time to the next. */
const mayDiffer = (condition: Value): boolean => hasSource(condition, "unknown", "environment", "call");

export function listTimed(way: Way | null): string[] {
  const found = listSteps(way)
    .filter(({ condition }) => hasTime(condition))
    .map(({ condition, outcome }) => `${describe(condition)}=${outcome}`);
  return [...new Set(found)];
}

export const hasTime = (value: Value): boolean =>
  listLeaves(value).some(({ sources }) =>
    sources.some(
      (source) => source.from === "environment" && (source.what === "time" || source.what === "number"),
    ),
  );

/** Whether the same condition had another outcome before. Of answers, which may differ from one time to the next, the same one. */
export function isContradiction(way: Way | null, condition: Value, outcome: boolean): boolean {
  const isFleeting = mayDiffer(condition);
  const [asked, isTrue] = normalize(condition, outcome);
  const name = isFleeting ? "" : describe(asked);
  return listSteps(way).some((step) => {
    const [earlier, wasTrue] = normalize(step.condition, step.outcome);
    return wasTrue !== isTrue && (isFleeting ? earlier === asked : describe(earlier) === name);
  });
}
