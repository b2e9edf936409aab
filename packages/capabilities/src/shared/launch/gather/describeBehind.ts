import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { findBeaconCode, parseBeaconAnswer } from "../../proxies/gather/beaconLens.js";
import type { resolveWithoutSafe } from "../../proxies/resolveWithoutSafe.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import { addressInWord } from "../../words/addressInWord.js";
import type { LaunchReadings } from "../launchReadings.js";

export function findBeacon(behind: ReturnType<typeof resolveWithoutSafe>, slot: Reading<Hex>): Hex | null {
  const isBeacon = behind.status === "unread" && behind.kind === "beacon" && slot.status === "value";
  return isBeacon ? addressInWord(slot.value) : null;
}

export function findBehindCode(
  targetCode: Reading<Hex> | null,
  choice: Reading<Hex> | null,
): Reading<Hex> | null {
  if (targetCode !== null || choice === null) return targetCode;
  const code = findBeaconCode(choice);
  return code === undefined ? noAnswer : valueReading(code);
}

export function describeBehind(
  target: Hex | null,
  targetCode: Reading<Hex> | null | undefined,
  choice: Reading<Hex> | null,
): LaunchReadings["implementation"] {
  if (target !== null)
    return { address: target, code: fingerprintReading(targetCode ?? undefined), isProvable: true };
  const named = choice && parseBeaconAnswer(choice);
  if (named?.status !== "value") return null;
  const { implementation, code } = named.value;
  return { address: implementation, code: valueReading(code), isProvable: false };
}
