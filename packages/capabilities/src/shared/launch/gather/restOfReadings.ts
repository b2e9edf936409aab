import type { LaunchReadings } from "../launchReadings.js";
import type { Subject } from "./readSubject.js";

/** What is read once the token itself and its pools are known. */
export type Rest = Omit<LaunchReadings, keyof Subject | "block" | "quotes" | "events" | "fees">;

/** Where the address has no program. */
export const NOTHING: Rest = {
  beaconImplementation: null,
  implementation: null,
  program: null,
  words: [],
  keys: [],
  accounts: [],
  keysLeftOut: 0,
  holders: [],
  creator: null,
  given: [],
  trades: [],
  crowd: null,
  crowdLater: null,
  rush: null,
  later: null,
  plain: [],
  callees: null,
  actors: null,
  leftOut: [],
  liquidity: [],
  pooled: "0",
};
