import type { Hex, Reading } from "@assay/protocol";

const PAUSED = "5c975abb";
const MASTER_COPY = "a619486e";

interface Answers {
  readonly paused: Reading<Hex>;
  readonly masterCopy: Reading<Hex>;
}

/**
 * The answer to `paused()`. A contract that refuses it in the very way in which it refuses `masterCopy()` has neither: what
 * refuses is what it does with functions that it does not have, and it may name the function there.
 */
export function readPauseAnswer({ paused, masterCopy }: Answers): Reading<Hex> {
  const isRefused = paused.status === "reverted" && masterCopy.status === "reverted";
  if (!isRefused || !paused.data || !masterCopy.data) return paused;
  const isSame = paused.data.replaceAll(PAUSED, MASTER_COPY) === masterCopy.data;
  return isSame ? { status: "reverted", data: null } : paused;
}
