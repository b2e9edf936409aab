/** The random choices of one campaign: the same seed gives the same ones, in the same order. */
export interface SeededChoices {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /** That many random bytes as 0x-prefixed hex. */
  hex(bytes: number): `0x${string}`;
}

/** Mulberry32: 32 bits of state, uniform enough for test choices, and short. */
export function createSeededChoices(seed: number): SeededChoices {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError("nothing to pick from");
      return list[integer(0, list.length - 1)] as T;
    },
    shuffle<T>(list: readonly T[]): T[] {
      const shuffled = [...list];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(0, last);
        [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
      }
      return shuffled;
    },
    hex(bytes) {
      const digits = Array.from({ length: bytes }, () => integer(0, 255).toString(16).padStart(2, "0"));
      return `0x${digits.join("")}`;
    },
  };
}

/**
 * The choices of one round. Each round has its own, because the number of choices a round makes may depend
 * on the order of events, and that must not change the plan of the next round.
 */
export function createRoundChoices(seed: number, round: number): SeededChoices {
  return createSeededChoices(Math.imul(seed, 0x9e3779b1) + Math.imul(round, 0x85ebca6b));
}
