import { useSyncExternalStore } from "react";

/** One sending of a payment, which goes on when its page is left. */
export interface Attempt {
  readonly isSending: boolean;
  /** What ended it. */
  readonly failure: unknown;
}

const none: Attempt = { isSending: false, failure: undefined };
const attempts = new Map<string, Attempt>();
const listeners = new Set<() => void>();

/** Where payments are kept names them. */
export const findAttempt = (place: string): Attempt => attempts.get(place) ?? none;

export function tellAttempt(place: string, attempt: Partial<Attempt>): void {
  attempts.set(place, { ...none, ...attempt });
  for (const listener of listeners) listener();
}

export const useAttempt = (place: string): Attempt =>
  useSyncExternalStore(subscribe, () => findAttempt(place));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
