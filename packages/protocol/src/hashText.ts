import { canonicalJson } from "./canonicalJson.js";
import { sha256Text } from "./sha256.js";

/** `sha256:` and the hex digest of the UTF-8 bytes of `text`. */
export function hashText(text: string): string {
  return `sha256:${sha256Text(text).slice(2)}`;
}

export function hashCanonical(value: unknown): string {
  return hashText(canonicalJson(value));
}
