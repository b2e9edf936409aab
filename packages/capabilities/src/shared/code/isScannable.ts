import type { CodeFingerprint } from "./fingerprintBytecode.js";

/** Whether this code is a program in which functions can be found. */
export function isScannable({ form }: CodeFingerprint): boolean {
  return form === "contract" || form === "eip1167_clone";
}
