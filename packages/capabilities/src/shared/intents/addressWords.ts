import type { Hex } from "@assay/protocol";

const MAX_NAMED = 12;
const WORD = 64;
/** Digits of a selector. */
const SELECTOR = 8;

/**
 * Words of data that have the form of an address: twelve bytes of zeros, then more than a number that counts something.
 * Addresses with four more bytes of zeros can be found by searching for keys, those with eight cannot.
 */
export function findAddressWords(data: Hex): Hex[] {
  const digits = data.slice(2);
  const found = new Set<Hex>();
  const scan = (from: number, end: number): void => {
    for (let at = from; at + WORD <= end && found.size < MAX_NAMED; at += WORD) {
      const word = digits.slice(at, at + WORD);
      if (/^0{24}(?!0{16})/.test(word)) found.add(`0x${word.slice(24)}`);
      // The length of the data of another call, a selector and words, which follows.
      const bytes = /^0{56}/.test(word) ? Number.parseInt(word, 16) : 0;
      if (bytes % 32 === 4) scan(at + WORD + SELECTOR, Math.min(end, at + WORD + bytes * 2));
    }
  };
  scan(digits.length % WORD === SELECTOR ? SELECTOR : 0, digits.length);
  return [...found];
}
