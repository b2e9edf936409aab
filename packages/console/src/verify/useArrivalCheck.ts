import { useCallback, useEffect, useState } from "react";
import { type Anchors, learnAnchors, useTrust } from "./anchors.js";
import { type CheckStep, conclude, type Finding, type PlannedStep } from "./checkStep.js";
import { loadVerifier, type Verifier } from "./loadVerifier.js";

/** The result of a first check; `unchecked` where it could not be made. */
export type ArrivalCheck = "checking" | "unchecked" | Finding;

export interface Arrival {
  readonly check: ArrivalCheck;
  /** What was checked, each with its outcome. */
  readonly steps: readonly CheckStep[];
  /** Records what a later check found. */
  record(finding: Finding): void;
}

/** How something is checked by itself. */
export interface OnArrival<T> {
  readonly plan: readonly PlannedStep[];
  check(
    verifier: Verifier,
    value: T,
    keys: Anchors | undefined,
  ): readonly CheckStep[] | Promise<readonly CheckStep[]>;
}

interface Found<T> extends Pick<Arrival, "check" | "steps"> {
  readonly value: T;
}

/** Checks an answer or a receipt as soon as it is there, under the known keys; again when other keys are trusted. */
export function useArrivalCheck<T>(value: T, { plan, check }: OnArrival<T>): Arrival {
  const [found, setFound] = useState<Found<T>>();
  const { signer, logKey } = useTrust().anchors ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: other keys may find otherwise
  useEffect(() => {
    let isCurrent = true;
    void Promise.all([loadVerifier(), learnAnchors()])
      .then(([verifier, keys]) => check(verifier, value, keys))
      .then(
        (steps) => ({ value, check: conclude(plan, steps), steps }),
        () => ({ value, check: "unchecked" as const, steps: [] }),
      )
      .then((next) => {
        if (isCurrent) setFound(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [value, plan, check, signer, logKey]);
  const record = useCallback(
    (check: Finding) => setFound((known) => ({ value, check, steps: known?.steps ?? [] })),
    [value],
  );
  // A result for another value is not one for this.
  return found?.value === value ? { ...found, record } : { check: "checking", steps: [], record };
}
