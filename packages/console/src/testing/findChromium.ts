import { existsSync } from "node:fs";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser that tests drive: the one named by CHROMIUM, else where distributions put it. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  return (named ? [named] : PLACES).find((path) => existsSync(path));
}

/** Why no browser test runs; undefined when they do. */
export function whyNoBrowser(): string | undefined {
  return findChromium()
    ? undefined
    : "Browser tests did not run: no Chromium was found. Install Debian's chromium, or name one in CHROMIUM.";
}
