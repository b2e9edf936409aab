import type { Hex } from "@assay/protocol";
import { encodePowerCalls, ownerPowers, type TrialTargets } from "../../shared/control/ownerPowers.js";
import { encodeBlindCalls, listUnknownSelectors } from "../unknownFunctions.js";
import type { Trial } from "./launchProbe.js";

/** The gas of one call is enough for this many trials, with a sale after each. */
const TRIALS_PER_CALL = 60;
/** The number of functions of unknown meaning that are tried, with five trials each. */
const MAX_UNKNOWN = 36;

interface TrialPlan {
  /** One list for each call to the node. */
  readonly calls: readonly (readonly Trial[])[];
  /** Selectors of unknown meaning beyond the bound. */
  readonly leftOut: readonly Hex[];
}

/**
 * Known powers with the arguments that would harm most, and functions of unknown meaning with arguments that might harm.
 * Where the code is not known yet, as behind a proxy, every known power is tried: one that is absent costs little.
 */
export function listTrials(selectors: readonly Hex[] | null, targets: TrialTargets): TrialPlan {
  const known = ownerPowers
    .filter(({ attempts, selector }) => attempts.length > 0 && (selectors?.includes(selector) ?? true))
    .map((power): Trial => ({ selector: power.selector, calls: encodePowerCalls(power, targets) }));
  const unknown = listUnknownSelectors(selectors ?? []);
  const blind = unknown
    .slice(0, MAX_UNKNOWN)
    .flatMap((selector) =>
      encodeBlindCalls(selector, targets).map((call): Trial => ({ selector, calls: [call] })),
    );
  const chunks = Array.from({ length: Math.ceil(blind.length / TRIALS_PER_CALL) }, (_, index) =>
    blind.slice(index * TRIALS_PER_CALL, (index + 1) * TRIALS_PER_CALL),
  );
  return {
    calls: known.length > 0 || chunks.length === 0 ? [known, ...chunks] : chunks,
    leftOut: unknown.slice(MAX_UNKNOWN),
  };
}
