import { type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";

/**
 * What a probe answered that a call put into the chain for its own time. A node that answers something else than it would has
 * not answered.
 */
export function parseProbeAnswer<T>(answer: Reading<Hex>, read: (data: Hex) => T): Reading<T> {
  try {
    // A probe that has gas left never reverts nor returns nothing: else it was used up, or another program ran in its place.
    if (answer.status === "reverted" || answer.status === "absent") return unanswered("probe_gave_nothing");
    return mapReading(answer, read);
  } catch {
    return unanswered("malformed_answer");
  }
}
