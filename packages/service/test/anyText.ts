import fc from "fast-check";

/**
 * Characters of all of Unicode, but no halves of surrogate pairs. fast-check's own unit `binary` is the same, and makes a table of
 * a million characters for each arbitrary, which takes half a second.
 */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point));

export const anyText = (options: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...options, unit: character });
