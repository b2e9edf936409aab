import { AssayError } from "@assay/protocol";

/** Runs work for a host when everything asked of it before has ended. */
export type HostQueue = <T>(host: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * One request at a time for each host, whoever asks. What does not fit, or is still waiting when its time is
 * over, is turned away as `overloaded`.
 */
export function createHostQueue(limits: { maxWaitingPerHost: number; maxInAll: number }): HostQueue {
  /** Who waits behind the one that is running; a host with nothing running has no line. */
  const lines = new Map<string, (() => void)[]>();
  let inAll = 0;

  function takeTurn(host: string, signal: AbortSignal): Promise<void> {
    const line = lines.get(host);
    if (!line) {
      lines.set(host, []);
      return Promise.resolve();
    }
    if (line.length >= limits.maxWaitingPerHost) return Promise.reject(tooMany("this host"));
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        line.splice(line.indexOf(begin), 1);
        reject(tooMany("this host"));
      };
      signal.addEventListener("abort", giveUp, { once: true });
      line.push(begin);
    });
  }

  function endTurn(host: string): void {
    const next = lines.get(host)?.shift();
    if (next) next();
    else lines.delete(host);
  }

  return async (host, signal, work) => {
    signal.throwIfAborted();
    if (inAll >= limits.maxInAll) throw tooMany("other pages");
    inAll += 1;
    try {
      await takeTurn(host, signal);
      try {
        return await work();
      } finally {
        endTurn(host);
      }
    } finally {
      inAll -= 1;
    }
  };
}

const tooMany = (what: string) =>
  new AssayError("overloaded", `Too many requests wait for ${what} already. Retry shortly.`, {
    retryAfterSeconds: 5,
  });
