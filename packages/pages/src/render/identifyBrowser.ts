import { setTimeout as sleep } from "node:timers/promises";
import { launchBrowser } from "./launchBrowser.js";

const PATIENCE_MS = 12_000;

/** Starts the browser once and returns what it calls itself. Throws where it does not answer. */
export async function identifyBrowser(browserPath: string): Promise<string> {
  const browser = await launchBrowser(browserPath);
  const limit = new AbortController();
  try {
    const late = sleep(PATIENCE_MS, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`the browser did not answer within ${PATIENCE_MS / 1000} s`);
    });
    const { product } = await Promise.race([late, browser.send("Browser.getVersion")]);
    return String(product);
  } finally {
    limit.abort();
    await browser.close();
  }
}
