import { useMemo, useSyncExternalStore } from "react";

/** Values that the browser refused to store, for as long as this page lives. */
const kept = new Map<string, string>();
const KEPT = "assay:kept-in-tab";

/**
 * Keeps what must outlive a reload of this tab: payments that may have been charged, answers that were paid for. Where
 * the browser stores nothing the page still works, but loses them at a reload.
 */
export function keepInTab(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  kept.delete(name);
  try {
    sessionStorage.setItem(name, text);
  } catch {
    // Full or forbidden. An older value would mislead the page after a reload.
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

/** The value kept under a name, updated when another page of this tab changes it. */
export function useInTab<T>(name: string): T | undefined {
  const text = useSyncExternalStore(subscribe, () => readText(name));
  return useMemo(() => parse<T>(text), [text]);
}

function dropSilently(name: string): void {
  kept.delete(name);
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Where storage is forbidden nothing is stored.
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
