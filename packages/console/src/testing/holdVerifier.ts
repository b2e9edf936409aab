import type { Page } from "playwright-core";

/** Keeps the verifier from a page until it is released, so that a test sees what stands there before. */
export function holdVerifier() {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release,
    prepare: (fresh: Page) =>
      fresh.route(/\/assets\/checkSaved-/, async (route) => {
        await isReleased;
        await route.continue();
      }),
  };
}
