import { whyNoBrowser } from "./findChromium.js";

/** Says once in a run that browser tests are left out, or ends the run where they must not be. */
export default function requireBrowser(): void {
  const reason = whyNoBrowser();
  if (reason === undefined) return;
  if (process.env.ASSAY_REQUIRE_BROWSER === "1") throw new Error(reason);
  console.warn(reason);
}
