import type { Reading } from "@assay/protocol";
import type { Note } from "../verdict/note.js";
import { BEACON_ANSWERS_BY_CALLER } from "./resolveImplementation.js";

/** Why a beacon's answer cannot be used. */
export function noteBeaconAnswer(
  answer: Reading<unknown> | null,
): Note<"IMPLEMENTATION_UNREAD" | "BEACON_UNREADABLE" | "BEACON_ANSWERS_BY_CALLER"> {
  if (answer?.status === "unanswered" && answer.reason === BEACON_ANSWERS_BY_CALLER) {
    const limitation = "The beacon names other code to its proxy than to others; neither was read.";
    return { code: "BEACON_ANSWERS_BY_CALLER", limitation };
  }
  return answer === null || answer.status === "unanswered"
    ? { code: "IMPLEMENTATION_UNREAD", limitation: "Not read: what the beacon names." }
    : { code: "BEACON_UNREADABLE", limitation: "The beacon answered implementation() with no address." };
}
