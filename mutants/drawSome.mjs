/** `count` of the items, in their order: the same ones for the same seed (mulberry32, enough to draw with). */
export function drawSome(items, count, seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  let wanted = Math.min(count, items.length);
  return items.filter((_, at) => {
    const isDrawn = next() < wanted / (items.length - at);
    if (isDrawn) wanted -= 1;
    return isDrawn;
  });
}
