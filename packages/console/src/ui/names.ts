import type { NameRule } from "./Named.js";

export const claimName: NameRule = {
  pattern: /^0x[0-9a-f]{64}$/,
  rule: "A claim id is 0x followed by 64 lowercase hex digits.",
};
export const receiptName: NameRule = {
  pattern: /^[\w-]{1,128}$/,
  rule: "An invocation id is letters, digits, _ and -.",
};
export const artifactName: NameRule = {
  pattern: /^sha256:[a-f0-9]{64}$/,
  rule: "An artifact id is sha256: followed by 64 lowercase hex digits.",
};
export const walletName: NameRule = {
  pattern: /^0x[0-9a-fA-F]{40}$/,
  rule: "A wallet is 0x followed by 40 hex digits.",
};

/** Plain names for the parts that the service reports. */
export const partNames: Readonly<Record<string, string>> = {
  chain: "Chain",
  persistence: "Database",
  x402: "Payments",
};
