/** What the browser would not keep, for as long as this page lives. */
const kept = new Map<string, string>();

/** What outlives the tab: keys and heads to compare with. A browser that forbids it has them until the page is left. */
export function keepInBrowser(name: string, text: string): void {
  kept.delete(name);
  try {
    window.localStorage.setItem(name, text);
  } catch {
    kept.set(name, text);
  }
}

export function findInBrowser(name: string): string | null {
  const own = kept.get(name);
  if (own !== undefined) return own;
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function dropFromBrowser(name: string): void {
  kept.delete(name);
  try {
    window.localStorage.removeItem(name);
  } catch {
    // Nothing is kept where nothing may be.
  }
}
