const RETRY_AFTER_MS = 400;

/** Loads a part of the console, and retries once: a moment without a network is common. */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    return load();
  }
}
