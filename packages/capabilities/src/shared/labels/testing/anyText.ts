import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any text UTF-8 can carry; half of its characters are of the scripts most in use. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x2fff }),
    fc
      .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
      .map((value) => (value < SURROGATES.first ? value : value + SURROGATES.count)),
  );
  return fc.array(codePoint, { maxLength }).map((codePoints) => String.fromCodePoint(...codePoints));
}
