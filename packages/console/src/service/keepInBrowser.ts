/** Values that the browser refused to store, for as long as this page lives. */
const kept = new Map<string, string>();

/** Keeps what outlives the tab: keys and log heads to compare with. Where storage is forbidden they last as long as the page. */
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
    // Where storage is forbidden nothing is stored.
  }
}
