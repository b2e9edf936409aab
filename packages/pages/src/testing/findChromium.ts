import { existsSync } from "node:fs";

const PLACES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The browser that tests start: the one named by CHROMIUM, else where distributions put it. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM;
  return (named ? [named] : PLACES.map((name) => `/usr/bin/${name}`)).find((path) => existsSync(path));
}
