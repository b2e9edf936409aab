import { existsSync } from "node:fs";

/** The headless shell comes first: it draws the same pages with half the work. */
const PLACES = [
  ...["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"],
  ...["/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
];

/** The browser that tests drive: the one named by CHROMIUM, else where distributions put it. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  return (named ? [named] : PLACES).find((path) => existsSync(path));
}

/** Why no browser test runs; undefined when they do. */
export function whyNoBrowser(): string | undefined {
  return findChromium()
    ? undefined
    : "Browser tests did not run: no Chromium was found. Install Debian's chromium-headless-shell, or name a browser in CHROMIUM.";
}
