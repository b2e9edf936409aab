import { useMemo, useSyncExternalStore } from "react";

/** What the browser would not keep, for as long as this page lives. */
const kept = new Map<string, string>();
const KEPT = "assay:kept-in-tab";

/**
 * What must outlive a reload of this tab and nothing else: payments that may have been charged, answers that were paid for.
 * A browser that keeps nothing still works, only without the reload.
 */
export function keepInTab(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  kept.delete(name);
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // Full or forbidden; what was there before is of no use to a reload.
    dropSilently(name);
    kept.set(name, text);
  }
  window.dispatchEvent(new Event(KEPT));
}

export const findInTab = <T>(name: string): T | undefined => parse<T>(readText(name));

export function dropFromTab(name: string): void {
  dropSilently(name);
  window.dispatchEvent(new Event(KEPT));
}

/** What is kept under a name now, also when another page of this tab puts it there. */
export function useInTab<T>(name: string): T | undefined {
  const text = useSyncExternalStore(subscribe, () => readText(name));
  return useMemo(() => parse<T>(text), [text]);
}

function dropSilently(name: string): void {
  kept.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing is kept where nothing may be.
  }
}

function readText(name: string): string | null {
  const own = kept.get(name);
  if (own !== undefined) return own;
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

function parse<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(KEPT, listener);
  return () => window.removeEventListener(KEPT, listener);
}
