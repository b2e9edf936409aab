import type { Verification } from "./verification.js";

/** The steps of a verification that failed, in words. */
export const describeFailure = ({ steps }: Verification) =>
  steps
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`)
    .join(" ");
