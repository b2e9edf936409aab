import { type Reading, unanswered } from "@assay/protocol";
import { readPauseAnswer } from "../shared/control/readPauseAnswer.js";
import { observeContract } from "../shared/observations/observeContract.js";
import { observeDelegates } from "../shared/observations/observeDelegates.js";
import type { ObservedFields } from "../shared/observations/observedReadings.js";
import { decodeAddress } from "../shared/words/addressInWord.js";
import type { ContractChangeReadings } from "./readings.js";

/** The value of each field that later observations are compared with. */
export function observeNow(
  readings: Omit<ContractChangeReadings, "block" | "previous" | "baseline">,
): Required<ObservedFields> {
  const observed = observeContract({ ...readings, paused: readPauseAnswer(readings) });
  return { ...observed, delegates: observeRunning(readings), facets: readings.facets };
}

function observeRunning(
  readings: Omit<ContractChangeReadings, "block" | "previous" | "baseline">,
): Reading<string> {
  const { code, delegation, beaconImplementation } = readings;
  if (code.status !== "value" && code.status !== "absent") return unanswered("code");
  if (delegation.outcome !== "delegates" || delegation.target !== null) return observeDelegates(readings);
  // A beacon in its slot is asked apart; what it names is what runs.
  const named = beaconImplementation && decodeAddress(beaconImplementation);
  return named?.status === "value"
    ? observeDelegates({ ...readings, delegation: { ...delegation, target: named.value } })
    : unanswered("the beacon's implementation()");
}
