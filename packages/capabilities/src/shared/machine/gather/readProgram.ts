import { setImmediate } from "node:timers/promises";
import type { Hex } from "@assay/protocol";
import { isScannable } from "../../code/isScannable.js";
import { rememberedFingerprint } from "../../code/rememberedFingerprint.js";
import { MAX_SCANNED_BYTES } from "../../code/selectorScan.js";
import { exploreInSlices } from "../exploreCode.js";
import { type ProgramReading, summarizeProgram } from "../programReading.js";

/** Programs of which it is known what they do, or is being found out. */
const MAX_KNOWN = 2_000;
const known = new Map<Hex, Promise<ProgramReading>>();

/** What the paths of this code show; null where there is no program, or one too large to follow. */
export async function readProgram(code: Hex | undefined): Promise<ProgramReading | null> {
  if (code === undefined) return null;
  const print = rememberedFingerprint(code);
  if (!isScannable(print) || print.bytecodeBytes > MAX_SCANNED_BYTES) return null;
  const found = known.get(print.codeHash);
  if (found) return found;
  const reading = explore(code);
  known.set(print.codeHash, reading);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return reading;
}

/** Lets the process answer others between two slices. */
async function explore(code: Hex): Promise<ProgramReading> {
  const slices = exploreInSlices(code);
  for (;;) {
    const { done, value } = slices.next();
    if (done) return summarizeProgram(value);
    await setImmediate();
  }
}
