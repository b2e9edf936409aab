/** Keys that open the metadata map compilers append: solc's, and Vyper's before its array form. */
const FIRST_KEYS: ReadonlySet<string> = new Set(["ipfs", "bzzr0", "bzzr1", "solc", "experimental", "vyper"]);
/** Real metadata nests two deep; the bound keeps hostile bytes from recursing. */
const MAX_DEPTH = 4;

/**
 * Byte offset where the compiler's CBOR metadata begins, or null when the code has none. The last
 * two bytes state the length of the map before them; the map must fill exactly that length, so
 * that code ending in look-alike bytes is not cut.
 */
export function findMetadataTail(code: Uint8Array): number | null {
  if (code.length < 4) return null;
  const mapEnd = code.length - 2;
  const mapBytes = new DataView(code.buffer, code.byteOffset).getUint16(mapEnd);
  const start = mapEnd - mapBytes;
  if (mapBytes < 2 || start < 0) return null;
  if ((byteAt(code, start) ?? 0) >> 5 !== 5) return null;
  const key = readHead(code, start + 1);
  if (key === null || key.major !== 3) return null;
  const name = new TextDecoder("latin1").decode(code.subarray(key.next, key.next + key.argument));
  if (!FIRST_KEYS.has(name)) return null;
  return findItemEnd(code, start, 0) === mapEnd ? start : null;
}

interface Head {
  readonly major: number;
  readonly argument: number;
  readonly next: number;
}

/** RFC 8949 section 3: three bits of type, then a small number or the one or two bytes holding it. */
function readHead(bytes: Uint8Array, offset: number): Head | null {
  const first = byteAt(bytes, offset);
  if (first === undefined) return null;
  const [major, short] = [first >> 5, first & 31];
  if (short < 24) return { major, argument: short, next: offset + 1 };
  const high = byteAt(bytes, offset + 1);
  if (high === undefined || short > 25) return null;
  if (short === 24) return { major, argument: high, next: offset + 2 };
  const low = byteAt(bytes, offset + 2);
  return low === undefined ? null : { major, argument: high * 256 + low, next: offset + 3 };
}

function findItemEnd(bytes: Uint8Array, offset: number, depth: number): number | null {
  const head = readHead(bytes, offset);
  if (head === null || depth > MAX_DEPTH) return null;
  if (head.major === 0 || head.major === 1 || head.major === 7) return head.next;
  if (head.major === 2 || head.major === 3) {
    const end = head.next + head.argument;
    return end <= bytes.length ? end : null;
  }
  if (head.major === 6) return null;
  let end: number | null = head.next;
  for (let items = head.argument * (head.major === 5 ? 2 : 1); items > 0 && end !== null; items -= 1) {
    end = findItemEnd(bytes, end, depth + 1);
  }
  return end;
}

const byteAt = (bytes: Uint8Array, offset: number): number | undefined => bytes[offset];
