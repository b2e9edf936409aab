import { setImmediate } from "node:timers/promises";
import {
  absent,
  buildTrieInSteps,
  EncodingError,
  type Hex,
  type JsonObject,
  type OrderedTrie,
  type Reading,
  unanswered,
  valueReading,
} from "@assay/protocol";

/** Blocks of more are not rebuilt: Base's hold a few hundred. */
const MAX_BLOCK_TRANSACTIONS = 2_000;
/** Of each list of a block; to encode and hash so much takes half a second. */
const MAX_BLOCK_BYTES = 2 * 1024 * 1024;
/** After so many, which take some milliseconds, others are served before the work goes on. */
const BYTES_AT_A_TIME = 64 * 1024;

/** Why a list was not rebuilt that is the same whichever node tells it. */
export const BLOCK_TOO_LARGE = "block_too_large";

/** How one entry of a list is encoded. Throws `EncodingError` where its form is not known. */
export type Encode = (told: JsonObject) => Uint8Array;

/** The trie of a list that a header commits to; absent where what a node tells does not make its root. */
export async function rebuildList(
  list: readonly JsonObject[],
  encode: Encode,
  root: Hex | undefined,
): Promise<Reading<OrderedTrie>> {
  if (list.length > MAX_BLOCK_TRANSACTIONS) return unanswered(BLOCK_TOO_LARGE);
  if (root === undefined) return absent;
  const pause = createPause();
  const entries: Uint8Array[] = [];
  let length = 0;
  for (const told of list) {
    const entry = tryEncode(told, encode);
    if (entry === undefined) return absent;
    entries.push(entry);
    length += entry.length;
    if (length > MAX_BLOCK_BYTES) return unanswered(BLOCK_TOO_LARGE);
    await pause(entry.length);
  }
  const steps = buildTrieInSteps(entries);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value.root === root ? valueReading(step.value) : absent;
    await pause(step.value);
  }
}

/** Undefined where it is of a form that is not known. */
export function tryEncode(told: JsonObject, encode: Encode): Uint8Array | undefined {
  try {
    return encode(told);
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}

function createPause(): (bytes: number) => Promise<void> {
  let open = 0;
  return async (bytes) => {
    open += bytes;
    if (open < BYTES_AT_A_TIME) return;
    open = 0;
    await setImmediate();
  };
}
