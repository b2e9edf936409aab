import { MAX_MEMORY, type Memory } from "./memory.js";
import { constant, type Sources, sourced, type Value } from "./value.js";

/** No code is longer. */
export const clamp = (word: bigint): number => (word > 0xffffffn ? 0xffffff : Number(word));

interface Returned {
  readonly memory: Memory;
  readonly returned: { readonly bytes: Uint8Array | null; readonly sources: Sources };
}

/** Where a copy of unknown length ends, as far as it is followed. */
const UNKNOWN_LENGTH = 0x200;

export function copyCalldata(
  world: { readonly calldata: Uint8Array | null },
  memory: Memory,
  to: Value,
  from: Value,
  length: Value,
): void {
  const source = sourced(null, "calldata");
  if (world.calldata !== null && from.word !== null && length.word !== null && length.word <= MAX_MEMORY) {
    memory.writeBytes(to, world.calldata, clamp(from.word), Number(length.word), source.sources);
    return;
  }
  if (to.word === null) return;
  const taken = length.word === null || length.word > UNKNOWN_LENGTH ? UNKNOWN_LENGTH : Number(length.word);
  for (let done = 0; done < taken; done += 32)
    memory.write(constant(to.word + BigInt(done)), source, 0, Math.min(32, taken - done));
}

export function copyReturned(state: Returned, to: Value, from: Value, length: Value): void {
  const { bytes, sources } = state.returned;
  if (length.word === null || length.word > MAX_MEMORY) return;
  if (bytes !== null && from.word !== null) {
    state.memory.writeBytes(to, bytes, clamp(from.word), Number(length.word), sources);
    return;
  }
  if (to.word === null) return;
  for (let done = 0; done < Number(length.word); done += 32)
    state.memory.write(
      constant(to.word + BigInt(done)),
      { word: null, sources },
      0,
      Math.min(32, Number(length.word) - done),
    );
}

export function copyMemory(memory: Memory, to: Value, from: Value, length: Value): void {
  if (to.word === null || from.word === null || length.word === null || length.word > MAX_MEMORY) return;
  const before = memory.copy();
  for (let done = 0; done < Number(length.word); done += 32) {
    const taken = Math.min(32, Number(length.word) - done);
    const part = before.readBytes(Number(from.word) + done, taken);
    memory.write(constant(to.word + BigInt(done)), part, 0, taken);
  }
}
