import { type Hex, valueReading } from "@assay/protocol";
import {
  type ImplementationReadings,
  type ImplementationResolution,
  type ImplementationSlots,
  resolveImplementation,
} from "./resolveImplementation.js";

type Readings = Pick<ImplementationReadings, "code" | "beaconImplementation"> & {
  readonly slots: Omit<ImplementationSlots, "safeSingleton">;
};

/** The documented order without Safes, as if the first slot were zero: for capabilities that do not read that slot. */
export function resolveWithoutSafe({
  code,
  slots,
  beaconImplementation,
}: Readings): ImplementationResolution {
  return resolveImplementation({
    code,
    slots: { ...slots, safeSingleton: valueReading<Hex>(`0x${"0".repeat(64)}`) },
    masterCopy: { status: "absent" },
    beaconImplementation,
  });
}
