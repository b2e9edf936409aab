import { defineReasons, type Reasons } from "../shared/verdict/reasons.js";

export type ObligationCode =
  | "OBLIGATION_HOLDS"
  | "OBLIGATION_OPEN"
  | "OBLIGATION_SURVIVED"
  | "OBLIGATION_UNREAD"
  | "OBLIGATION_UNDETERMINED"
  | "UPGRADE_EVENTS_UNREAD"
  | "UPGRADE_EVENT_UNCONFIRMED"
  | "NO_UPGRADE_PATH"
  | "UPGRADE_PATH_UNREAD"
  | "WINDOW_OF_ONE_BLOCK"
  | "NEVER_OPEN_TO_CHALLENGE"
  | "OBLIGATION_BLOCKS_REPLACED"
  | "OBLIGATION_RECORD_MISMATCH"
  | "OBLIGATION_FALSIFICATION_UNCONFIRMED"
  | "OBLIGATION_FALSIFIED"
  | "OBLIGATION_CONTRADICTED";

/**
 * What each reason means for the verdict; the most severe one decides. An `allow` needs a condition that could have
 * failed.
 */
export const obligationReasons: Reasons<ObligationCode> = defineReasons({
  allow: {
    OBLIGATION_HOLDS: "The chain has what the obligation says, at every block that was read.",
    OBLIGATION_OPEN: "The obligation is still open to challenge.",
    OBLIGATION_SURVIVED: "The obligation's deadline passed and nobody had contradicted it.",
  },
  review: {
    // Asked, but no usable answer came.
    OBLIGATION_UNREAD: "What the obligation is about could not be read at a block that decides.",
    OBLIGATION_UNDETERMINED:
      "At a block that decides, the chain names no implementation and does not say there is none.",
    UPGRADE_EVENTS_UNREAD: "Not all events of the window were read.",
    UPGRADE_EVENT_UNCONFIRMED: "An event names other code than the state has at the end of its block.",
    // That the obligation holds says little where no way to fail is known.
    NO_UPGRADE_PATH:
      "No known way to replace the code was found in it, so that the obligation holds says little.",
    UPGRADE_PATH_UNREAD: "Whether the code could have been replaced is not known.",
    WINDOW_OF_ONE_BLOCK: "The obligation is about one block, which was known when it was published.",
    NEVER_OPEN_TO_CHALLENGE: "The obligation was never open to challenge.",
    // The record belongs to another chain or to another obligation.
    OBLIGATION_BLOCKS_REPLACED:
      "The chain has other blocks at the window's ends than when the obligation was published.",
    OBLIGATION_RECORD_MISMATCH: "The record does not hash to the obligation that was asked about.",
    OBLIGATION_FALSIFICATION_UNCONFIRMED:
      "The obligation is recorded as falsified, and at the block of that challenge the chain now has what the obligation says.",
  },
  block: {
    OBLIGATION_FALSIFIED: "A challenge has shown the obligation false.",
    OBLIGATION_CONTRADICTED: "The chain contradicts the obligation at a block it is about.",
  },
});
