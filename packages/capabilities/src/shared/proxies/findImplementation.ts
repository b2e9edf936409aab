import { type Hex, mapReading } from "@assay/protocol";
import type { DelegationReading } from "./delegationReading.js";
import { resolveImplementation } from "./resolveImplementation.js";
import type { SubjectReadings } from "./subjectReadings.js";

/** The address whose code runs: what the code does when it runs comes before what slots say. */
export function findImplementation(
  readings: SubjectReadings,
  { origin, target }: DelegationReading,
): Hex | null {
  const resolution = resolveImplementation({
    ...readings,
    beaconImplementation:
      readings.beaconImplementation &&
      mapReading(readings.beaconImplementation, ({ implementation }) => implementation),
  });
  // A fixed target may obey slots over the storage of this address.
  if (target !== null && (origin === "storage" || origin === "call")) return target;
  return resolution.status === "resolved" ? resolution.implementation : target;
}
