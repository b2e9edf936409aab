import type { Hex } from "@assay/protocol";
import { CONCAT, constant, merge, type Sources, UNKNOWN, type Value } from "./value.js";

/** Further memory is not followed: no call that this reading looks for is prepared there. */
export const MAX_MEMORY = 0x4000;

/** Byte-wise memory in which each byte knows the word it was written from. */
export interface Memory {
  copy(): Memory;
  size(): number;
  write(offset: Value, value: Value, from?: number, length?: number): void;
  read(offset: Value): Value;
  /** Up to 32 bytes as the high end of a word. */
  readBytes(start: number, length: number): Value;
  /** The bytes of a range, where all of them are known. */
  bytes(offset: Value, length: Value): Hex | null;
  /** Writes the bytes of a known text; `sources` says where it came from. */
  writeBytes(offset: Value, data: Uint8Array, from: number, length: number, sources: Sources): void;
}

/** Which word a byte was written from, and which byte of it. */
interface Cell {
  readonly value: Value;
  readonly position: number;
}
type Cells = readonly (Cell | undefined)[];

export function createMemory(shared: Cells = []): Memory {
  // Most branches end before they write, so cells are copied by the first write.
  let cells = shared;
  let own: (Cell | undefined)[] | undefined;

  const memory: Memory = {
    copy() {
      own = undefined;
      return createMemory(cells);
    },
    size: () => Math.ceil(cells.length / 32) * 32,
    write(offset, value, from = 0, length = 32) {
      if (offset.word === null || offset.word + BigInt(length) > MAX_MEMORY) return;
      own ??= cells.slice();
      cells = own;
      const start = Number(offset.word);
      while (own.length < start) own.push(undefined);
      for (let index = 0; index < length; index += 1) own[start + index] = { value, position: from + index };
    },
    read(offset) {
      if (offset.word === null || offset.word + 32n > MAX_MEMORY) return UNKNOWN;
      return memory.readBytes(Number(offset.word), 32);
    },
    readBytes(start, length) {
      const first = cells[start]?.value;
      let isWhole = first !== undefined && length === 32;
      let word: bigint | null = 0n;
      const parts = new Set<Value>();
      for (let index = 0; index < length; index += 1) {
        const cell = cells[start + index];
        if (cell?.value !== first || cell?.position !== index) isWhole = false;
        if (cell === undefined) {
          if (word !== null) word <<= 8n;
          continue;
        }
        parts.add(findRightEnd(cell) ?? cell.value);
        if (word === null || cell.value.word === null) word = null;
        else word = (word << 8n) | ((cell.value.word >> BigInt(8 * (31 - cell.position))) & 0xffn);
      }
      if (isWhole && first !== undefined) return first;
      if (word !== null) word <<= BigInt(8 * (32 - length));
      const isDigest = word === null && [...parts].some(({ disguise }) => disguise === "digest");
      return {
        word,
        sources: merge(...parts),
        ...(isDigest && { disguise: "digest" as const }),
        ...(word === null && { of: { opcode: CONCAT, operands: [...parts] } }),
      };
    },
    bytes(offset, length) {
      if (offset.word === null || length.word === null || offset.word + length.word > MAX_MEMORY) return null;
      let hex = "";
      const end = Number(offset.word + length.word);
      for (let at = Number(offset.word); at < end; at += 32) {
        const taken = Math.min(32, end - at);
        const { word } = memory.readBytes(at, taken);
        if (word === null) return null;
        hex += toHex(word).slice(0, taken * 2);
      }
      return `0x${hex}`;
    },
    writeBytes(offset, data, from, length, sources) {
      for (let done = 0; done < length; done += 32) {
        const taken = Math.min(32, length - done);
        let word = 0n;
        for (let index = 0; index < 32; index += 1)
          word = (word << 8n) | BigInt(data[from + done + index] ?? 0);
        const at = offset.word === null ? offset : constant(offset.word + BigInt(done));
        memory.write(at, { word, sources }, 0, taken);
      }
    },
  };
  return memory;
}

const [OR, SHL] = [0x17, 0x1b];

/** The constant of which a byte is part, beside an address that was shifted to the left. */
function findRightEnd({ value: { of }, position }: Cell): Value | null {
  if (position < 20 || of?.opcode !== OR) return null;
  const constant = of.operands.find(({ word }) => word !== null);
  const shifted = of.operands.find((one) => one.of?.opcode === SHL && one.of.operands[0]?.word === 96n);
  return constant !== undefined && shifted !== undefined ? constant : null;
}

const toHex = (word: bigint): string => word.toString(16).padStart(64, "0");
