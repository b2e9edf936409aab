/**
 * What must outlive a reload of this tab and nothing else: payments that may have been charged, answers that were paid for.
 * A browser that keeps nothing still works, only without this.
 */
export function keepInTab(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page in memory still has it.
  }
}

export function findInTab<T>(name: string): T | undefined {
  try {
    const text = sessionStorage.getItem(name);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export function dropFromTab(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing is kept where nothing may be.
  }
}
