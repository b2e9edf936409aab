import type { CapabilityResult } from "@assay/protocol";
import { useEffect, useState } from "react";
import { learnAnchors, useTrust } from "../verify/anchors.js";
import { loadVerifier } from "../verify/loadVerifier.js";

/** What a first check of an answer found; `unchecked` where it could not be made. */
export type ArrivalCheck = "checking" | "passed" | "refused" | "unchecked";

/** Checks an answer as soon as it is there, by itself and under the known key; again when another key is trusted. */
export function useArrivalCheck(
  answer: CapabilityResult,
): [found: ArrivalCheck, tell: (found: ArrivalCheck) => void] {
  const [found, tell] = useState<ArrivalCheck>("checking");
  const signer = useTrust().anchors?.signer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key may find otherwise
  useEffect(() => {
    let isCurrent = true;
    void check(answer)
      .catch((): ArrivalCheck => "unchecked")
      .then((next) => {
        if (isCurrent) tell(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [answer, signer]);
  return [found, tell];
}

async function check(answer: CapabilityResult): Promise<ArrivalCheck> {
  const [{ checkAlone }, keys] = await Promise.all([loadVerifier(), learnAnchors()]);
  // Without a key to compare with, a signature is anybody's.
  if (!keys) return "unchecked";
  const steps = await checkAlone(answer, keys);
  return steps.every(({ ok }) => ok) ? "passed" : "refused";
}
