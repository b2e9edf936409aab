import type { Hex } from "@assay/protocol";
import { type CodeFingerprint, fingerprintBytecode } from "./fingerprintBytecode.js";

/** Characters of code kept as keys: a few hundred of the largest contracts. */
const MAX_CHARACTERS = 16_000_000;

const known = new Map<Hex, CodeFingerprint>();
let characters = 0;

/** Popular code stands at many addresses. It is hashed once; the fingerprint depends on nothing but the code. */
export function rememberedFingerprint(code: Hex): CodeFingerprint {
  const found = known.get(code);
  if (found) return found;
  const fingerprint = fingerprintBytecode(code);
  known.set(code, fingerprint);
  characters += code.length;
  for (const oldest of known.keys()) {
    if (characters <= MAX_CHARACTERS) break;
    known.delete(oldest);
    characters -= oldest.length;
  }
  return fingerprint;
}
