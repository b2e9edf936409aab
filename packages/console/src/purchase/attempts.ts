import { useSyncExternalStore } from "react";

/** One attempt to send a payment, which goes on when its page is left. */
export interface Attempt {
  readonly isSending: boolean;
  /** The error that ended it. */
  readonly failure: unknown;
}

const none: Attempt = { isSending: false, failure: undefined };
const attempts = new Map<string, Attempt>();
const listeners = new Set<() => void>();

/** By the place where the payment is kept. */
export const findAttempt = (place: string): Attempt => attempts.get(place) ?? none;

export function recordAttempt(place: string, attempt: Partial<Attempt>): void {
  attempts.set(place, { ...none, ...attempt });
  for (const listener of listeners) listener();
}

export const useAttempt = (place: string): Attempt =>
  useSyncExternalStore(subscribe, () => findAttempt(place));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
