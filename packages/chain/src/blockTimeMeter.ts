/** Measures milliseconds per block from headers as they are seen. */
export interface BlockTimeMeter {
  add(header: { readonly number: number; readonly timestamp: number }): void;
  /** Forgets blocks at or above `number`, which a reorganisation removed from the chain. */
  rewind(number: number): void;
  ms(): number;
}

const MAX_SAMPLES = 64;
const MIN_MS = 100;
const MAX_MS = 60_000;
/** Used while no two seen blocks differ in time: a chain of one block, or a burst within one second. */
const FALLBACK_MS = 2_000;

/**
 * Timestamps are whole seconds and several blocks may share one, so two neighbouring headers give no
 * estimate. One sample is kept per distinct timestamp, and the estimate is the slope between the
 * oldest and the newest: 64 samples span at least a minute, so the error is at most one second in sixty.
 */
export function createBlockTimeMeter(): BlockTimeMeter {
  let samples: { number: number; timestamp: number }[] = [];
  return {
    add({ number, timestamp }) {
      const last = samples.at(-1);
      if (last !== undefined && (number <= last.number || timestamp <= last.timestamp)) return;
      samples.push({ number, timestamp });
      if (samples.length > MAX_SAMPLES) samples.shift();
    },
    rewind(number) {
      samples = samples.filter((sample) => sample.number < number);
    },
    ms() {
      const first = samples[0];
      const last = samples.at(-1);
      if (first === undefined || last === undefined || first === last) return FALLBACK_MS;
      const slope = ((last.timestamp - first.timestamp) * 1_000) / (last.number - first.number);
      return Math.min(Math.max(slope, MIN_MS), MAX_MS);
    },
  };
}
