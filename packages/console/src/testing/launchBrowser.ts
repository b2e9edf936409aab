import { createRequire } from "node:module";
import type { Browser } from "playwright-core";
import { findChromium } from "./findChromium.js";

// Before Node imports a CommonJS module it searches the source for the names of its exports: half a second, for megabytes.
const { chromium }: typeof import("playwright-core") = createRequire(import.meta.url)("playwright-core");

let launched: Promise<Browser> | undefined;

/** The browser of this worker, launched by the first test that needs it; it ends with the worker's process. */
export function launchBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("no Chromium was found");
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      // Nothing is drawn by hardware, so no process is needed for it.
      "--in-process-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // No page lives long enough to repay the compilers that optimize, but for the few functions that hash and check signatures:
      // only what runs thousands of times is compiled, and by the quicker compiler.
      "--js-flags=--no-opt --invocation-count-for-maglev=3000",
      // Pages of one context share a process, and with it the compiled scripts.
      "--process-per-site",
    ],
  });
}
