/**
 * Counts which branches a run takes, after which other branch, as AFL does: each branch has a number, and the pair of a branch
 * and the one before it is a place in a table. How often a place was taken counts in steps of 1, 2, 3, 4, 8, 16, 32 and 128.
 */
const PLACES = 1 << 16;

export function createCoverage() {
  const taken = new Uint8Array(PLACES);
  const touched = new Uint32Array(PLACES);
  const known = new Uint8Array(PLACES);
  let length = 0;
  let before = 0;
  let places = 0;

  return {
    hit(branch) {
      const place = (branch ^ before) & (PLACES - 1);
      if (taken[place] === 0) touched[length++] = place;
      if (taken[place] < 255) taken[place] += 1;
      before = branch >>> 1;
    },
    begin() {
      for (let at = 0; at < length; at += 1) taken[touched[at]] = 0;
      length = 0;
      before = 0;
    },
    /** How many places this run was the first to take, or to take so often. */
    countNew() {
      let found = 0;
      for (let at = 0; at < length; at += 1) {
        const place = touched[at];
        const step = stepOf(taken[place]);
        if ((known[place] & step) !== 0) continue;
        if (known[place] === 0) places += 1;
        known[place] |= step;
        found += 1;
      }
      return found;
    },
    /** What this run took, for choosing few inputs that together take everything. */
    listTaken() {
      return Array.from(touched.subarray(0, length), (place) => place * 256 + stepOf(taken[place]));
    },
    /** Places that any run has taken. */
    places: () => places,
  };
}

function stepOf(times) {
  if (times < 4) return 1 << (times - 1);
  if (times < 8) return 8;
  if (times < 16) return 16;
  if (times < 32) return 32;
  return times < 128 ? 64 : 128;
}
