import type { Hex } from "./primitives.js";

/**
 * Keccak-256 as Ethereum uses it: the sponge of FIPS 202 with a rate of 136 bytes and the padding of the first submission (0x01).
 * Its rounds are written out, with each lane of 64 bits as two words of 32: four times as fast as with loops over lanes.
 */
const RATE_BYTES = 136;

/** A list of this length, so that each of its places holds a number. */
type Numbers<Length extends number, List extends number[] = []> = List["length"] extends Length
  ? List
  : Numbers<Length, [...List, number]>;
/** Words of the state: lane x + 5y is the words 2(x + 5y), its low half, and the one after it. */
type State = Int32Array & Omit<Numbers<50>, keyof number[]>;

/** Round constants (FIPS 202, 3.2.5), each as low and high half. */
const IOTA = Int32Array.from([
  0x00000001, 0x00000000, 0x00008082, 0x00000000, 0x0000808a, 0x80000000, 0x80008000, 0x80000000, 0x0000808b,
  0x00000000, 0x80000001, 0x00000000, 0x80008081, 0x80000000, 0x00008009, 0x80000000, 0x0000008a, 0x00000000,
  0x00000088, 0x00000000, 0x80008009, 0x00000000, 0x8000000a, 0x00000000, 0x8000808b, 0x00000000, 0x0000008b,
  0x80000000, 0x00008089, 0x80000000, 0x00008003, 0x80000000, 0x00008002, 0x80000000, 0x00000080, 0x80000000,
  0x0000800a, 0x00000000, 0x8000000a, 0x80000000, 0x80008081, 0x80000000, 0x00008080, 0x80000000, 0x80000001,
  0x00000000, 0x80008008, 0x80000000,
]);

/** What each character of hexadecimal text stands for; 16 for any other character. */
const NIBBLES = new Uint8Array(128).fill(16);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  NIBBLES[digit.charCodeAt(0)] = value;
  NIBBLES[digit.toUpperCase().charCodeAt(0)] = value;
}
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

// One hash is made at a time, so its state needs no memory of its own.
const state = new Int32Array(50) as State;
// Every engine that matters stores integers with the low byte first, as the sponge reads them.
const stateBytes = new Uint8Array(state.buffer);

/** The hash of some bytes, or of the bytes that hexadecimal text stands for. Throws for other text. */
export function keccak256(input: Hex | Uint8Array): Hex {
  state.fill(0);
  const rest = typeof input === "string" ? absorbText(input) : absorbBytes(input);
  stateBytes[rest] = (stateBytes[rest] as number) ^ 0x01;
  stateBytes[RATE_BYTES - 1] = (stateBytes[RATE_BYTES - 1] as number) ^ 0x80;
  permute(state);
  let hash: Hex = "0x";
  for (let i = 0; i < 32; i += 1) hash = `${hash}${HEX_BYTES[stateBytes[i] as number]}`;
  return hash;
}

/** Returns how many bytes are in the block that is not full. */
function absorbBytes(bytes: Uint8Array): number {
  let at = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    stateBytes[at] = (stateBytes[at] as number) ^ (bytes[i] as number);
    at += 1;
    if (at === RATE_BYTES) {
      permute(state);
      at = 0;
    }
  }
  return at;
}

function absorbText(text: Hex): number {
  if (text.length % 2 === 1 || !text.startsWith("0x"))
    throw new TypeError("Text to be hashed must be whole bytes after 0x.");
  let at = 0;
  for (let i = 2; i < text.length; i += 2) {
    const high = NIBBLES[text.charCodeAt(i)] ?? 16;
    const low = NIBBLES[text.charCodeAt(i + 1)] ?? 16;
    if ((high | low) > 15) throw new TypeError("Text to be hashed must be hexadecimal.");
    stateBytes[at] = (stateBytes[at] as number) ^ ((high << 4) | low);
    at += 1;
    if (at === RATE_BYTES) {
      permute(state);
      at = 0;
    }
  }
  return at;
}

/** Keccak-f[1600] (FIPS 202, 3.3). In each round c are the parities of columns, d what they add, b the moved lanes. */
function permute(s: State): void {
  for (let round = 0; round < 24; round += 1) {
    const iotaLo = IOTA[2 * round] as number;
    const iotaHi = IOTA[2 * round + 1] as number;
    const c0Lo = s[0] ^ s[10] ^ s[20] ^ s[30] ^ s[40];
    const c0Hi = s[1] ^ s[11] ^ s[21] ^ s[31] ^ s[41];
    const c1Lo = s[2] ^ s[12] ^ s[22] ^ s[32] ^ s[42];
    const c1Hi = s[3] ^ s[13] ^ s[23] ^ s[33] ^ s[43];
    const c2Lo = s[4] ^ s[14] ^ s[24] ^ s[34] ^ s[44];
    const c2Hi = s[5] ^ s[15] ^ s[25] ^ s[35] ^ s[45];
    const c3Lo = s[6] ^ s[16] ^ s[26] ^ s[36] ^ s[46];
    const c3Hi = s[7] ^ s[17] ^ s[27] ^ s[37] ^ s[47];
    const c4Lo = s[8] ^ s[18] ^ s[28] ^ s[38] ^ s[48];
    const c4Hi = s[9] ^ s[19] ^ s[29] ^ s[39] ^ s[49];
    const d0Lo = c4Lo ^ ((c1Lo << 1) | (c1Hi >>> 31));
    const d0Hi = c4Hi ^ ((c1Hi << 1) | (c1Lo >>> 31));
    const d1Lo = c0Lo ^ ((c2Lo << 1) | (c2Hi >>> 31));
    const d1Hi = c0Hi ^ ((c2Hi << 1) | (c2Lo >>> 31));
    const d2Lo = c1Lo ^ ((c3Lo << 1) | (c3Hi >>> 31));
    const d2Hi = c1Hi ^ ((c3Hi << 1) | (c3Lo >>> 31));
    const d3Lo = c2Lo ^ ((c4Lo << 1) | (c4Hi >>> 31));
    const d3Hi = c2Hi ^ ((c4Hi << 1) | (c4Lo >>> 31));
    const d4Lo = c3Lo ^ ((c0Lo << 1) | (c0Hi >>> 31));
    const d4Hi = c3Hi ^ ((c0Hi << 1) | (c0Lo >>> 31));
    const b0Lo = s[0] ^ d0Lo;
    const b0Hi = s[1] ^ d0Hi;
    const a1Lo = s[2] ^ d1Lo;
    const a1Hi = s[3] ^ d1Hi;
    const b10Lo = (a1Lo << 1) | (a1Hi >>> 31);
    const b10Hi = (a1Hi << 1) | (a1Lo >>> 31);
    const a2Lo = s[4] ^ d2Lo;
    const a2Hi = s[5] ^ d2Hi;
    const b20Lo = (a2Hi << 30) | (a2Lo >>> 2);
    const b20Hi = (a2Lo << 30) | (a2Hi >>> 2);
    const a3Lo = s[6] ^ d3Lo;
    const a3Hi = s[7] ^ d3Hi;
    const b5Lo = (a3Lo << 28) | (a3Hi >>> 4);
    const b5Hi = (a3Hi << 28) | (a3Lo >>> 4);
    const a4Lo = s[8] ^ d4Lo;
    const a4Hi = s[9] ^ d4Hi;
    const b15Lo = (a4Lo << 27) | (a4Hi >>> 5);
    const b15Hi = (a4Hi << 27) | (a4Lo >>> 5);
    const a5Lo = s[10] ^ d0Lo;
    const a5Hi = s[11] ^ d0Hi;
    const b16Lo = (a5Hi << 4) | (a5Lo >>> 28);
    const b16Hi = (a5Lo << 4) | (a5Hi >>> 28);
    const a6Lo = s[12] ^ d1Lo;
    const a6Hi = s[13] ^ d1Hi;
    const b1Lo = (a6Hi << 12) | (a6Lo >>> 20);
    const b1Hi = (a6Lo << 12) | (a6Hi >>> 20);
    const a7Lo = s[14] ^ d2Lo;
    const a7Hi = s[15] ^ d2Hi;
    const b11Lo = (a7Lo << 6) | (a7Hi >>> 26);
    const b11Hi = (a7Hi << 6) | (a7Lo >>> 26);
    const a8Lo = s[16] ^ d3Lo;
    const a8Hi = s[17] ^ d3Hi;
    const b21Lo = (a8Hi << 23) | (a8Lo >>> 9);
    const b21Hi = (a8Lo << 23) | (a8Hi >>> 9);
    const a9Lo = s[18] ^ d4Lo;
    const a9Hi = s[19] ^ d4Hi;
    const b6Lo = (a9Lo << 20) | (a9Hi >>> 12);
    const b6Hi = (a9Hi << 20) | (a9Lo >>> 12);
    const a10Lo = s[20] ^ d0Lo;
    const a10Hi = s[21] ^ d0Hi;
    const b7Lo = (a10Lo << 3) | (a10Hi >>> 29);
    const b7Hi = (a10Hi << 3) | (a10Lo >>> 29);
    const a11Lo = s[22] ^ d1Lo;
    const a11Hi = s[23] ^ d1Hi;
    const b17Lo = (a11Lo << 10) | (a11Hi >>> 22);
    const b17Hi = (a11Hi << 10) | (a11Lo >>> 22);
    const a12Lo = s[24] ^ d2Lo;
    const a12Hi = s[25] ^ d2Hi;
    const b2Lo = (a12Hi << 11) | (a12Lo >>> 21);
    const b2Hi = (a12Lo << 11) | (a12Hi >>> 21);
    const a13Lo = s[26] ^ d3Lo;
    const a13Hi = s[27] ^ d3Hi;
    const b12Lo = (a13Lo << 25) | (a13Hi >>> 7);
    const b12Hi = (a13Hi << 25) | (a13Lo >>> 7);
    const a14Lo = s[28] ^ d4Lo;
    const a14Hi = s[29] ^ d4Hi;
    const b22Lo = (a14Hi << 7) | (a14Lo >>> 25);
    const b22Hi = (a14Lo << 7) | (a14Hi >>> 25);
    const a15Lo = s[30] ^ d0Lo;
    const a15Hi = s[31] ^ d0Hi;
    const b23Lo = (a15Hi << 9) | (a15Lo >>> 23);
    const b23Hi = (a15Lo << 9) | (a15Hi >>> 23);
    const a16Lo = s[32] ^ d1Lo;
    const a16Hi = s[33] ^ d1Hi;
    const b8Lo = (a16Hi << 13) | (a16Lo >>> 19);
    const b8Hi = (a16Lo << 13) | (a16Hi >>> 19);
    const a17Lo = s[34] ^ d2Lo;
    const a17Hi = s[35] ^ d2Hi;
    const b18Lo = (a17Lo << 15) | (a17Hi >>> 17);
    const b18Hi = (a17Hi << 15) | (a17Lo >>> 17);
    const a18Lo = s[36] ^ d3Lo;
    const a18Hi = s[37] ^ d3Hi;
    const b3Lo = (a18Lo << 21) | (a18Hi >>> 11);
    const b3Hi = (a18Hi << 21) | (a18Lo >>> 11);
    const a19Lo = s[38] ^ d4Lo;
    const a19Hi = s[39] ^ d4Hi;
    const b13Lo = (a19Lo << 8) | (a19Hi >>> 24);
    const b13Hi = (a19Hi << 8) | (a19Lo >>> 24);
    const a20Lo = s[40] ^ d0Lo;
    const a20Hi = s[41] ^ d0Hi;
    const b14Lo = (a20Lo << 18) | (a20Hi >>> 14);
    const b14Hi = (a20Hi << 18) | (a20Lo >>> 14);
    const a21Lo = s[42] ^ d1Lo;
    const a21Hi = s[43] ^ d1Hi;
    const b24Lo = (a21Lo << 2) | (a21Hi >>> 30);
    const b24Hi = (a21Hi << 2) | (a21Lo >>> 30);
    const a22Lo = s[44] ^ d2Lo;
    const a22Hi = s[45] ^ d2Hi;
    const b9Lo = (a22Hi << 29) | (a22Lo >>> 3);
    const b9Hi = (a22Lo << 29) | (a22Hi >>> 3);
    const a23Lo = s[46] ^ d3Lo;
    const a23Hi = s[47] ^ d3Hi;
    const b19Lo = (a23Hi << 24) | (a23Lo >>> 8);
    const b19Hi = (a23Lo << 24) | (a23Hi >>> 8);
    const a24Lo = s[48] ^ d4Lo;
    const a24Hi = s[49] ^ d4Hi;
    const b4Lo = (a24Lo << 14) | (a24Hi >>> 18);
    const b4Hi = (a24Hi << 14) | (a24Lo >>> 18);
    s[0] = b0Lo ^ (~b1Lo & b2Lo) ^ iotaLo;
    s[1] = b0Hi ^ (~b1Hi & b2Hi) ^ iotaHi;
    s[2] = b1Lo ^ (~b2Lo & b3Lo);
    s[3] = b1Hi ^ (~b2Hi & b3Hi);
    s[4] = b2Lo ^ (~b3Lo & b4Lo);
    s[5] = b2Hi ^ (~b3Hi & b4Hi);
    s[6] = b3Lo ^ (~b4Lo & b0Lo);
    s[7] = b3Hi ^ (~b4Hi & b0Hi);
    s[8] = b4Lo ^ (~b0Lo & b1Lo);
    s[9] = b4Hi ^ (~b0Hi & b1Hi);
    s[10] = b5Lo ^ (~b6Lo & b7Lo);
    s[11] = b5Hi ^ (~b6Hi & b7Hi);
    s[12] = b6Lo ^ (~b7Lo & b8Lo);
    s[13] = b6Hi ^ (~b7Hi & b8Hi);
    s[14] = b7Lo ^ (~b8Lo & b9Lo);
    s[15] = b7Hi ^ (~b8Hi & b9Hi);
    s[16] = b8Lo ^ (~b9Lo & b5Lo);
    s[17] = b8Hi ^ (~b9Hi & b5Hi);
    s[18] = b9Lo ^ (~b5Lo & b6Lo);
    s[19] = b9Hi ^ (~b5Hi & b6Hi);
    s[20] = b10Lo ^ (~b11Lo & b12Lo);
    s[21] = b10Hi ^ (~b11Hi & b12Hi);
    s[22] = b11Lo ^ (~b12Lo & b13Lo);
    s[23] = b11Hi ^ (~b12Hi & b13Hi);
    s[24] = b12Lo ^ (~b13Lo & b14Lo);
    s[25] = b12Hi ^ (~b13Hi & b14Hi);
    s[26] = b13Lo ^ (~b14Lo & b10Lo);
    s[27] = b13Hi ^ (~b14Hi & b10Hi);
    s[28] = b14Lo ^ (~b10Lo & b11Lo);
    s[29] = b14Hi ^ (~b10Hi & b11Hi);
    s[30] = b15Lo ^ (~b16Lo & b17Lo);
    s[31] = b15Hi ^ (~b16Hi & b17Hi);
    s[32] = b16Lo ^ (~b17Lo & b18Lo);
    s[33] = b16Hi ^ (~b17Hi & b18Hi);
    s[34] = b17Lo ^ (~b18Lo & b19Lo);
    s[35] = b17Hi ^ (~b18Hi & b19Hi);
    s[36] = b18Lo ^ (~b19Lo & b15Lo);
    s[37] = b18Hi ^ (~b19Hi & b15Hi);
    s[38] = b19Lo ^ (~b15Lo & b16Lo);
    s[39] = b19Hi ^ (~b15Hi & b16Hi);
    s[40] = b20Lo ^ (~b21Lo & b22Lo);
    s[41] = b20Hi ^ (~b21Hi & b22Hi);
    s[42] = b21Lo ^ (~b22Lo & b23Lo);
    s[43] = b21Hi ^ (~b22Hi & b23Hi);
    s[44] = b22Lo ^ (~b23Lo & b24Lo);
    s[45] = b22Hi ^ (~b23Hi & b24Hi);
    s[46] = b23Lo ^ (~b24Lo & b20Lo);
    s[47] = b23Hi ^ (~b24Hi & b20Hi);
    s[48] = b24Lo ^ (~b20Lo & b21Lo);
    s[49] = b24Hi ^ (~b20Hi & b21Hi);
  }
}

/** Of the UTF-8 bytes of a text. */
export const keccak256Text = (text: string): Hex => keccak256(new TextEncoder().encode(text));
