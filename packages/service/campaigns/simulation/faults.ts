import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Tally } from "../commandLine.js";
import type { Owner, Timeline } from "./timeline.js";

/**
 * What may go wrong where one part waits for another. `died before` and `died after`: the process, before its question left or after
 * it was answered.
 */
export const faultKinds = [
  "request lost",
  "answer lost",
  "late",
  "very late",
  "died before",
  "died after",
  "garbled",
  "unanswered",
  "behind",
  "sent twice",
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Everything that happened, in order, as one number; and as text where somebody asked for it. */
export interface Trace {
  note(text: string): void;
  readonly hash: () => string;
  readonly lines: string[] | undefined;
}

export function createTrace(keepsLines: boolean): Trace {
  let [low, high] = [0x811c9dc5, 0x01000193];
  const lines: string[] | undefined = keepsLines ? [] : undefined;
  return {
    lines,
    note(text) {
      for (let at = 0; at < text.length; at++) {
        low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
        high = (high + low) | 0;
      }
      high = Math.imul(high ^ (high >>> 15), 0x2c1b3c6d);
      lines?.push(text);
    },
    hash: () => [low, high].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join(""),
  };
}

/** What all parts of one world share. */
export interface Scene {
  readonly timeline: Timeline;
  readonly choices: SeededChoices;
  readonly trace: Trace;
  readonly faults: Faults;
  /** Ends the process; the world starts it again. */
  kill(owner: Owner): void;
}

export interface Faults {
  isOn: boolean;
  /** The share of waits at which something goes wrong. */
  rate: number;
  /** `kind at step` → times. */
  readonly coverage: Tally;
  draw(step: string, kinds: readonly FaultKind[]): FaultKind | undefined;
}

export function createFaults(choices: SeededChoices, coverage: Tally, rate: number): Faults {
  return {
    isOn: true,
    rate,
    coverage,
    draw(step, kinds) {
      if (!this.isOn || choices.next() >= this.rate) return undefined;
      const kind = choices.pick(kinds);
      coverage.add(`${kind} at ${step}`);
      return kind;
    },
  };
}

/** Milliseconds that an answer takes. */
export function drawDelayMs(choices: SeededChoices, fault: FaultKind | undefined): number {
  if (fault === "late") return choices.integer(200, 3_000);
  if (fault === "very late") return choices.integer(6_000, 20_000);
  return choices.integer(0, 2);
}

/** Of what a dead process waits for. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});
