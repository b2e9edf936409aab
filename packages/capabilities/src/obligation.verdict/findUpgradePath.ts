import { resolveImplementation } from "../shared/proxies/resolveImplementation.js";
import { decodeAddress, isZeroWord } from "../shared/words/addressInWord.js";
import type { ObligationVerdictReadings, SubjectObservation } from "./readings.js";

/** How the code behind an address could have been replaced. */
export type UpgradePath =
  | { readonly state: "found"; readonly by: string }
  | { readonly state: "none" }
  | { readonly state: "unread"; readonly missing: string };

type Control = NonNullable<ObligationVerdictReadings["control"]>;

/**
 * Searches for a way to replace the implementation, and reports only one that was read. A path that exists and is not
 * recognised only makes the verdict more careful.
 */
export function findUpgradePath(observation: SubjectObservation, control: Control): UpgradePath {
  const { beaconImplementation: beacon } = observation;
  const resolution = resolveImplementation({
    ...observation,
    beaconImplementation: beacon && decodeAddress(beacon),
  });
  if (observation.code.status !== "value" && observation.code.status !== "absent")
    return { state: "unread", missing: "the code" };
  if (observation.code.status === "absent") return { state: "none" };
  if (resolution.status === "unread" && resolution.kind !== "beacon")
    return { state: "unread", missing: resolution.missing };
  const kind = resolution.status === "none" ? null : resolution.kind;
  if (kind === "safe") return { state: "found", by: "the owners of a Safe" };
  if (kind === "eip7702_delegation") return { state: "found", by: "the key of a delegated account" };
  if (kind === "beacon") return search([["the beacon", control.beaconFunctions]]);
  for (const slot of ["eip1967Admin", "zeppelinosAdmin"] as const) {
    const admin = control[slot];
    if (admin.status === "value" && !isZeroWord(admin.value))
      return { state: "found", by: `the admin in ${slot}` };
  }
  const path = search([
    ["the contract", control.ownFunctions],
    ["its implementation", control.implementationFunctions],
  ]);
  const unread = (["eip1967Admin", "zeppelinosAdmin"] as const).find(
    (slot) => control[slot].status !== "value",
  );
  return path.state === "none" && unread ? { state: "unread", missing: unread } : path;
}

function search(places: readonly (readonly [string, Control["implementationFunctions"]])[]): UpgradePath {
  for (const [place, functions] of places)
    if (functions?.status === "value" && functions.value[0])
      return { state: "found", by: `${functions.value[0]} of ${place}` };
  const unread = places.find(([, functions]) => functions?.status === "unanswered");
  return unread ? { state: "unread", missing: `the code of ${unread[0]}` } : { state: "none" };
}
