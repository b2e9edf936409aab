import { AssayError } from "@assay/protocol";

/** Runs work for a host when all earlier work for it has ended. */
export type HostQueue = <T>(host: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * One request at a time for each host, across all callers. A request that does not fit into the queue, or still waits when its
 * signal is aborted, is refused as `overloaded`.
 */
export function createHostQueue(limits: { maxWaitingPerHost: number; maxInAll: number }): HostQueue {
  /** The requests that wait behind the running one; a host without a running one has no entry. */
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
  new AssayError("overloaded", `Too many requests already wait for ${what}. Retry shortly.`, {
    retryAfterSeconds: 5,
  });
