import type { Hex } from "@assay/protocol";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import { encodePowerCalls, findOwnerPower } from "../../control/ownerPowers.js";
import { encodeNumberTrials, encodeTrials, NO_FUNCTION, PAYMENT, type TrialTargets } from "../trialCalls.js";

/** Calls that are made until one is accepted, or all of them one after the other. */
export interface Trial {
  readonly selector: Hex;
  readonly calls: readonly Hex[];
  readonly isSequence: boolean;
}

/** A caller that is refused costs little: the gas of one call is enough for this many trials. */
const TRIALS_PER_CALL = 70;
/** The number of functions that are tried. */
const MAX_FUNCTIONS = 48;

interface TrialPlan {
  /** One list for each call to the node. */
  readonly calls: readonly (readonly Trial[])[];
  /** Selectors beyond the bound. */
  readonly leftOut: readonly Hex[];
}

/** Every function that may change something, with arguments that could harm a holder, and at last all together. */
export function listTrials(analysis: CodeAnalysis, targets: TrialTargets, isBrief: boolean): TrialPlan {
  const changing = analysis.functions.filter(({ isView }) => !isView);
  const chosen = changing.slice(0, MAX_FUNCTIONS);
  const trials = chosen.flatMap(({ selector, parameters }): Trial[] => {
    const known = findOwnerPower(selector as Hex);
    const byName = known && known.attempts.length > 0 ? [encodePowerCalls(known, targets)] : [];
    const byType = encodeTrials(selector as Hex, parameters, targets);
    const byNumber = encodeNumberTrials(selector as Hex, parameters, targets);
    const lists = [...(isBrief ? byType.slice(0, 4) : [...byName, ...byType]), ...byNumber];
    return lists.map((calls) => ({ selector: selector as Hex, calls, isSequence: false }));
  });
  const together = isBrief ? [] : listSequences(analysis, targets);
  const all = [
    ...trials,
    { selector: NO_FUNCTION, calls: [NO_FUNCTION], isSequence: false },
    { selector: PAYMENT, calls: ["0x" as const], isSequence: false },
    ...together,
  ];
  return {
    calls: Array.from({ length: Math.ceil(all.length / TRIALS_PER_CALL) }, (_, index) =>
      all.slice(index * TRIALS_PER_CALL, (index + 1) * TRIALS_PER_CALL),
    ),
    leftOut: changing.slice(MAX_FUNCTIONS).map(({ selector }) => selector as Hex),
  };
}

/** Some powers need a first step: every function twice with each kind of argument, in one sequence. */
function listSequences({ functions }: CodeAnalysis, targets: TrialTargets): Trial[] {
  const giveAway = new Set([
    "0x715018a6",
    "0xf2fde38b",
    "0xa9059cbb",
    "0x23b872dd",
    "0x095ea7b3",
    "0x42966c68",
  ]);
  const parts = functions
    .filter(({ isView, selector }) => !isView && !giveAway.has(selector))
    .slice(0, MAX_FUNCTIONS)
    .map(({ selector, parameters }) => encodeTrials(selector as Hex, parameters, targets));
  if (parts.length < 2) return [];
  return [0, 1, 2].flatMap((turn): Trial[] => {
    const once = parts.flatMap((lists) => lists[turn % Math.max(1, lists.length)]?.slice(-3) ?? []);
    const calls = [...once, ...once].slice(0, 60);
    const [first] = calls;
    return first ? [{ selector: first.slice(0, 10) as Hex, calls, isSequence: true }] : [];
  });
}
