import type { Hex, Reading } from "@assay/protocol";
import type { Note } from "../verdict/note.js";
import { readFlag } from "../words/readFlag.js";

export type PauseCode =
  | "CONTRACT_PAUSED"
  | "NOT_PAUSED"
  | "PAUSE_ABSENT"
  | "PAUSE_UNREAD"
  | "PAUSE_UNREADABLE";

interface PauseReadings {
  /** Answer of `paused()`. */
  readonly paused: Reading<Hex>;
  readonly slots: { readonly openZeppelinPausable: Reading<Hex> };
}

interface PauseJudgement {
  readonly notes: readonly Note<PauseCode>[];
  /** Null when the contract did not say. */
  readonly paused: boolean | null;
  readonly pauseSource: "call" | "storage" | "call_and_storage" | null;
}

/**
 * Paused when either `paused()` or OpenZeppelin's ERC-7201 storage says so. The storage alone never
 * proves the opposite: a zero there is also what a contract without that library has.
 */
export function judgePause(readings: PauseReadings): PauseJudgement {
  const call = readFlag(readings.paused);
  const flag = readings.slots.openZeppelinPausable;
  const stored = flag.status === "value" && !flag.value.endsWith("00");
  if (call === "yes" || stored) {
    const pauseSource = call !== "yes" ? "storage" : stored ? "call_and_storage" : "call";
    return { notes: [{ code: "CONTRACT_PAUSED" }], paused: true, pauseSource };
  }
  const unknown = { paused: null, pauseSource: null };
  switch (call) {
    case "no":
      return { notes: [{ code: "NOT_PAUSED" }], paused: false, pauseSource: "call" };
    case "absent":
      return {
        notes: [
          {
            code: "PAUSE_ABSENT",
            limitation:
              "No pause switch was found, which is not the same as unpaused: the contract may stop calls by other means.",
          },
        ],
        ...unknown,
      };
    case "unread":
      return {
        notes: [{ code: "PAUSE_UNREAD", limitation: "paused() was not read: no node answered." }],
        ...unknown,
      };
    case "unreadable":
      return {
        notes: [
          {
            code: "PAUSE_UNREADABLE",
            limitation: "paused() refused with an error of its own or returned no boolean.",
          },
        ],
        ...unknown,
      };
  }
}
