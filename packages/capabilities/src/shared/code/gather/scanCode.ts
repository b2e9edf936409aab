import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import type { GatherContext, InterfaceScan } from "../../../gathering.js";
import type { CodeFingerprint } from "../fingerprintBytecode.js";
import { isScannable } from "../isScannable.js";
import { MAX_SCANNED_BYTES, SELECTOR_SCANNER, type SelectorScan } from "../selectorScan.js";
import { createSelectorScanner } from "./createSelectorScanner.js";

/** The functions found in a piece of code, and the scan that was made for it now. */
export interface ScannedCode {
  /** Null where there is no program to scan. */
  readonly scan: Reading<SelectorScan> | null;
  readonly made: readonly InterfaceScan[];
}

/** One thread for the process. */
const scanSelectors = createSelectorScanner();

/** Reuses the scan of an earlier settled call, or scans now. */
export async function scanCode(
  { records }: Pick<GatherContext, "records">,
  code: Reading<CodeFingerprint>,
  bytes: Hex | undefined,
): Promise<ScannedCode> {
  if (code.status !== "value" || !isScannable(code.value)) return { scan: null, made: [] };
  const { codeHash, bytecodeBytes } = code.value;
  if (bytecodeBytes > MAX_SCANNED_BYTES) return { scan: unanswered("code_too_large"), made: [] };
  const known = await records.findSelectors(codeHash);
  if (known) return { scan: toScan("reused", known), made: [] };
  const selectors = bytes === undefined ? unanswered("code_not_whole") : await scanSelectors(bytes);
  if (selectors.status !== "value") return { scan: selectors, made: [] };
  const made = [{ codeHash, scanner: SELECTOR_SCANNER, selectors: selectors.value }];
  return { scan: toScan("now", selectors.value), made };
}

const toScan = (source: SelectorScan["source"], selectors: readonly Hex[]): Reading<SelectorScan> =>
  valueReading({ scanner: SELECTOR_SCANNER, source, selectors: [...selectors] });
