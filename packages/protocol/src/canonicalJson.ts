import canonicalize from "canonicalize";
import { stringToBytes } from "viem";
import { sha256 } from "./sha256.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** RFC 8785 text of a JSON value: one value, one spelling, one hash. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("only JSON values have a canonical form");
  return text;
}

/** `sha256:` and the hex digest of the UTF-8 bytes of `text`. */
export function hashText(text: string): string {
  return `sha256:${sha256(stringToBytes(text)).slice(2)}`;
}

export function hashCanonical(value: unknown): string {
  return hashText(canonicalJson(value));
}
