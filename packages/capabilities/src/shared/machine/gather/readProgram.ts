import type { Hex } from "@assay/protocol";
import { type CodeFingerprint, fingerprintBytecode } from "../../code/fingerprintBytecode.js";
import { isScannable } from "../../code/isScannable.js";
import { MAX_SCANNED_BYTES } from "../../code/selectorScan.js";
import { exploreCode } from "../exploreCode.js";
import { type ProgramReading, summarizeProgram } from "../programReading.js";

/** Programs of which it is known what they do. */
const MAX_KNOWN = 2_000;
const known = new Map<Hex, ProgramReading>();

/** What the paths of this code show; null where there is no program, or one too large to follow. */
export function readProgram(code: Hex | undefined, fingerprint?: CodeFingerprint): ProgramReading | null {
  if (code === undefined) return null;
  const print = fingerprint ?? fingerprintBytecode(code);
  if (!isScannable(print) || print.bytecodeBytes > MAX_SCANNED_BYTES) return null;
  const found = known.get(print.codeHash);
  if (found) return found;
  const program = summarizeProgram(exploreCode(code));
  known.set(print.codeHash, program);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return program;
}
