import { useEffect, useState } from "react";

export type Verifier = typeof import("./checkSaved.js");

/** Loads the whole verifier: a part that failed to load must not pass for an answer that fails. */
export async function loadVerifier(): Promise<Verifier> {
  try {
    const verifier = await import("./checkSaved.js");
    await verifier.prepareToCheck();
    return verifier;
  } catch (cause) {
    throw new Error("The verifier could not be loaded; nothing was checked. Go online and try again.", {
      cause,
    });
  }
}

/** Loads it with the page that checks any file, so that this page then needs no network; true once it does not. */
export function usePreloadedVerifier(): boolean {
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    loadVerifier()
      .then((verifier) => verifier.prepareForEveryAnswer())
      .then(
        () => setIsLoaded(true),
        // The check itself tries again, and reports a failure.
        () => undefined,
      );
  }, []);
  return isLoaded;
}
