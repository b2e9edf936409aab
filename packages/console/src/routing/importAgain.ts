const AGAIN_AFTER_MS = 400;

/** Loads a part of the console, a second time if the first fails: a moment without a network is common. */
export async function importAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    return load();
  }
}
