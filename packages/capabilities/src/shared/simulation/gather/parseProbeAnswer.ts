import { type Hex, mapReading, type Reading, unanswered } from "@assay/protocol";

/**
 * The answer of a probe: a contract that a call puts into the chain for its own duration. An answer that no probe gives
 * counts as no answer of the node.
 */
export function parseProbeAnswer<T>(answer: Reading<Hex>, read: (data: Hex) => T): Reading<T> {
  try {
    // A probe with gas left always returns data. Otherwise its gas ran out, or another program ran in its place.
    if (answer.status === "reverted" || answer.status === "absent") return unanswered("probe_gave_nothing");
    return mapReading(answer, read);
  } catch {
    return unanswered("malformed_answer");
  }
}
