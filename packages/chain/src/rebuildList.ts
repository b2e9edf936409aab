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

/** Larger blocks are not rebuilt; blocks of Base hold a few hundred. */
const MAX_BLOCK_TRANSACTIONS = 2_000;
/** Of each list of a block; encoding and hashing this many takes half a second. */
const MAX_BLOCK_BYTES = 2 * 1024 * 1024;
/** After this many, which take some milliseconds, other work of the event loop runs before the rebuilding continues. */
const BYTES_PER_TURN = 64 * 1024;

/** The reason of a list that no node can return in a form that would be rebuilt. */
export const BLOCK_TOO_LARGE = "block_too_large";

/** Encodes one entry of a list. Throws `EncodingError` where its form is not known. */
export type Encode = (entry: JsonObject) => Uint8Array;

/** The trie of a list that a header commits to; absent where the list does not hash to that root. */
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
  for (const entry of list) {
    const bytes = tryEncode(entry, encode);
    if (bytes === undefined) return absent;
    entries.push(bytes);
    length += bytes.length;
    if (length > MAX_BLOCK_BYTES) return unanswered(BLOCK_TOO_LARGE);
    await pause(bytes.length);
  }
  const steps = buildTrieInSteps(entries);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value.root === root ? valueReading(step.value) : absent;
    await pause(step.value);
  }
}

/** Undefined where the entry's form is not known. */
export function tryEncode(entry: JsonObject, encode: Encode): Uint8Array | undefined {
  try {
    return encode(entry);
  } catch (error) {
    if (error instanceof EncodingError) return undefined;
    throw error;
  }
}

function createPause(): (bytes: number) => Promise<void> {
  let sinceLastTurn = 0;
  return async (bytes) => {
    sinceLastTurn += bytes;
    if (sinceLastTurn < BYTES_PER_TURN) return;
    sinceLastTurn = 0;
    await setImmediate();
  };
}
