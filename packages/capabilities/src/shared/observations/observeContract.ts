import { absent, type Hex, mapReading, type Reading, unanswered, valueReading } from "@assay/protocol";
import { judgePause } from "../control/judgePause.js";
import { type ImplementationResolution, resolveImplementation } from "../proxies/resolveImplementation.js";
import { addressInWord, decodeAddress, isZeroWord } from "../words/addressInWord.js";
import type { ObservedFields, ObservedReadings } from "./observedReadings.js";

type Observable = Omit<ObservedReadings, "block" | "previous" | "baseline">;
type Slots = ObservedReadings["slots"];

/** The value of each field that later observations are compared with. */
export function observeContract(readings: Observable): ObservedFields {
  const { slots, beaconImplementation } = readings;
  const resolution = resolveImplementation({
    ...readings,
    beaconImplementation: beaconImplementation && decodeAddress(beaconImplementation),
  });
  return {
    codeHash: observeCodeHash(readings),
    implementation: observeImplementation(resolution),
    admin: observeAdmin(slots, resolution),
    beacon: addressInSlot(slots, "eip1967Beacon"),
    paused: observePause(readings),
  };
}

function observeCodeHash({ code }: Observable): Reading<Hex> {
  if (code.status === "value" && code.value.form === "empty") return absent;
  return mapReading(code, ({ codeHash }) => codeHash);
}

function observeImplementation(resolution: ImplementationResolution): Reading<Hex> {
  switch (resolution.status) {
    case "resolved":
      return valueReading(resolution.implementation);
    case "none":
      return absent;
    case "unread":
      return unanswered(resolution.missing);
  }
}

/** The admin in the slots of the standard that names the implementation, otherwise in those of the other. */
function observeAdmin(slots: Slots, resolution: ImplementationResolution): Reading<Hex> {
  const isZeppelinos = resolution.status === "resolved" && resolution.kind === "zeppelinos";
  const [own, other] = isZeppelinos
    ? (["zeppelinosAdmin", "eip1967Admin"] as const)
    : (["eip1967Admin", "zeppelinosAdmin"] as const);
  const admin = addressInSlot(slots, own);
  return admin.status === "absent" ? addressInSlot(slots, other) : admin;
}

function addressInSlot(slots: Slots, name: keyof Slots): Reading<Hex> {
  const word = slots[name];
  if (word.status !== "value") return unanswered(name);
  return isZeroWord(word.value) ? absent : valueReading(addressInWord(word.value));
}

/** The storage flag may say "paused" where `paused()` does not, so a flag that was not read leaves a "no" unknown. */
function observePause(readings: Observable): Reading<boolean> {
  const { paused, notes } = judgePause(readings);
  if (paused === true) return valueReading(true);
  if (readings.slots.openZeppelinPausable.status !== "value") return unanswered("openZeppelinPausable");
  if (paused === false) return valueReading(false);
  const isAbsent = notes.some(({ code }) => code === "PAUSE_ABSENT");
  return isAbsent ? absent : unanswered("paused()");
}
