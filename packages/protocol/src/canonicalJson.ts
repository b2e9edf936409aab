import canonicalize from "canonicalize";
import { sha256, stringToBytes } from "viem";

/** Node's own SHA-256 where there is one: the same digest as the JavaScript one of browsers, much sooner. */
const nodeCrypto = (
  globalThis as { process?: { getBuiltinModule?: (id: string) => typeof import("node:crypto") | undefined } }
).process?.getBuiltinModule?.("node:crypto");

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** RFC 8785 text of a JSON value: one value, one spelling, one hash. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("only JSON values have a canonical form");
  return text;
}

/** `sha256:` and the hex digest of the UTF-8 bytes of `text`. */
export function hashText(text: string): string {
  const digest = nodeCrypto
    ? nodeCrypto.createHash("sha256").update(text, "utf8").digest("hex")
    : sha256(stringToBytes(text)).slice(2);
  return `sha256:${digest}`;
}

export function hashCanonical(value: unknown): string {
  return hashText(canonicalJson(value));
}
