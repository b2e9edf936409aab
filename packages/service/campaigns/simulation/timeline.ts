import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";
import type { SeededChoices } from "@assay/chain/testing/seededChoices";

/** Whose code runs. What a dead owner waits for never comes, and what it asks for is not done. */
export interface Owner {
  readonly name: string;
  isDead: boolean;
}

interface Moment {
  readonly atMs: number;
  readonly turn: number;
  readonly owner: Owner | undefined;
  readonly run: () => void;
  isOff: boolean;
  /** As Node's timers have them. */
  ref(): Moment;
  unref(): Moment;
}

/** Simulated time: nothing passes but from one event to the next, and the same seed gives the same events. */
export interface Timeline {
  nowMs(): number;
  /** Whose code runs now; undefined for buyers, the database and the chain, which never die. */
  owner(): Owner | undefined;
  after(delayMs: number, owner: Owner | undefined, run: () => void): void;
  /** Lets the rest of this event be the owner's, if it is nobody's yet: saves an event of its own. */
  claim(owner: Owner): boolean;
  sleep(ms: number): Promise<void>;
  /** Plays events until `main` has ended, which runs as nobody's. Clock, timers and random bytes of the process are simulated meanwhile. */
  play(main: () => Promise<void>): Promise<void>;
}

const real = {
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  randomBytes: crypto.randomBytes,
  deflateRawSync: zlib.deflateRawSync,
  inflateRawSync: zlib.inflateRawSync,
  stackTraceLimit: Error.stackTraceLimit,
};

function self(this: Moment): Moment {
  return this;
}

export function createTimeline(startMs: number, choices: SeededChoices, keepsStacks = false): Timeline {
  const heap: Moment[] = [];
  let nowMs = startMs;
  let turns = 0;
  let current: Owner | undefined;
  let isClaimable = false;

  const isBefore = (a: Moment, b: Moment) => a.atMs < b.atMs || (a.atMs === b.atMs && a.turn < b.turn);

  function add(delayMs: number, owner: Owner | undefined, run: () => void): Moment {
    turns += 1;
    const moment: Moment = {
      atMs: nowMs + delayMs,
      turn: turns,
      owner,
      run,
      isOff: false,
      ref: self,
      unref: self,
    };
    let at = heap.push(moment) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(moment, heap[above] as Moment)) break;
      heap[at] = heap[above] as Moment;
      at = above;
    }
    heap[at] = moment;
    return moment;
  }

  function take(): Moment | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Moment, heap[below] as Moment)) below += 1;
      if (!isBefore(heap[below] as Moment, last)) break;
      heap[at] = heap[below] as Moment;
      at = below;
    }
    heap[at] = last;
    return first;
  }

  const turnOff = (moment: unknown) => {
    if (moment) (moment as Moment).isOff = true;
  };

  function setTimer(run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Moment {
    return add(Math.max(1, Math.ceil(ms)), current, () => run(...args));
  }
  function setTicker(run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Moment {
    const owner = current;
    const everyMs = Math.max(1, Math.ceil(ms));
    const again = (): void => {
      if (ticker.isOff) return;
      add(everyMs, owner, again);
      run(...args);
    };
    const ticker: Moment = add(everyMs, owner, again);
    return ticker;
  }

  function install(): void {
    function SimulatedDate(this: unknown, ...given: unknown[]) {
      return given.length === 0 ? new real.Date(nowMs) : Reflect.construct(real.Date, given);
    }
    SimulatedDate.prototype = real.Date.prototype;
    const date = Object.assign(SimulatedDate, {
      now: () => nowMs,
      parse: real.Date.parse,
      UTC: real.Date.UTC,
    });
    Object.assign(globalThis, {
      Date: date,
      setTimeout: setTimer,
      setInterval: setTicker,
      setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
        add(0, current, () => run(...args)),
      clearTimeout: turnOff,
      clearInterval: turnOff,
    });
    const randomBytes = (size: number) => {
      const bytes = Buffer.allocUnsafe(size);
      for (let at = 0; at < size; at++) bytes[at] = choices.next() * 256;
      return bytes;
    };
    crypto.randomBytes = randomBytes as typeof crypto.randomBytes;
    // What is packed comes out as it went in; making a compressor takes longer than all around it.
    const asIs = (content: string | Buffer) => Buffer.from(content);
    Object.assign(zlib, { deflateRawSync: asIs, inflateRawSync: asIs });
    syncBuiltinESMExports();
    // Refusals are thrown by the thousand; a world that breaks a rule is played again to see where.
    if (!keepsStacks) Error.stackTraceLimit = 0;
  }

  function uninstall(): void {
    const { randomBytes, deflateRawSync, inflateRawSync, stackTraceLimit, ...globals } = real;
    Object.assign(globalThis, globals);
    Error.stackTraceLimit = stackTraceLimit;
    crypto.randomBytes = randomBytes;
    Object.assign(zlib, { deflateRawSync, inflateRawSync });
    syncBuiltinESMExports();
  }

  return {
    nowMs: () => nowMs,
    owner: () => current,
    after: (delayMs, owner, run) => void add(delayMs, owner, run),
    claim(owner) {
      if (!isClaimable || owner.isDead) return false;
      isClaimable = false;
      current = owner;
      return true;
    },
    sleep: (ms) => new Promise((done) => add(Math.max(0, ms), current, done)),
    play: (main) =>
      new Promise<void>((resolve, reject) => {
        let isOver = false;
        const end = (settle: () => void) => {
          if (isOver) return;
          isOver = true;
          uninstall();
          settle();
        };
        const step = () => {
          if (isOver) return;
          let moment = take();
          while (moment && (moment.isOff || moment.owner?.isDead)) moment = take();
          if (!moment) return end(() => reject(new Error("nothing is left that could happen")));
          nowMs = moment.atMs;
          current = moment.owner;
          isClaimable = current === undefined;
          try {
            moment.run();
          } catch (error) {
            return end(() => reject(error));
          }
          queueMicrotask(next);
        };
        // Node runs this after all promises that the event has moved, and those that they move.
        const next = () => process.nextTick(step);
        install();
        current = undefined;
        main().then(
          () => end(resolve),
          (error) => end(() => reject(error)),
        );
        queueMicrotask(next);
      }),
  };
}
