import type { Intent } from "./readRequest.js";

interface Turn {
  /** Resolves once no earlier transaction of this sender is undecided. */
  wait(): Promise<void>;
  leave(): void;
}

interface Place {
  readonly nonce: bigint | undefined;
  readonly number: number;
  readonly left: Promise<void>;
}

/**
 * Keeps transactions of one sender in order while they are judged at the same time: a node that sees nonce 6 before nonce 5
 * may drop it. By nonce where both have one, else as they came; the two kinds do not wait for each other.
 */
export function createOrder(): (intent: Pick<Intent, "kind" | "sender" | "nonce">) => Turn {
  const places = new Map<string, Set<Place>>();
  let count = 0;
  return ({ kind, sender, nonce }) => {
    if (kind === "signature") return { wait: async () => {}, leave: () => {} };
    const waiting = places.get(sender) ?? new Set<Place>();
    places.set(sender, waiting);
    let leave = () => {};
    const left = new Promise<void>((done) => {
      leave = done;
    });
    count += 1;
    const own: Place = { nonce, number: count, left };
    waiting.add(own);
    const isBefore = (other: Place) =>
      nonce !== undefined && other.nonce !== undefined
        ? other.nonce < nonce
        : nonce === undefined && other.nonce === undefined && other.number < own.number;
    return {
      async wait() {
        for (
          let earlier = [...waiting].filter(isBefore);
          earlier.length > 0;
          earlier = [...waiting].filter(isBefore)
        )
          await Promise.all(earlier.map((other) => other.left));
      },
      leave() {
        waiting.delete(own);
        if (waiting.size === 0) places.delete(sender);
        leave();
      },
    };
  };
}
