import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import { type CodeAnalysis, codeAnalysisSchema, MAX_ANALYSED } from "../codeAnalysis.js";
import { MAX_SCANNED_BYTES } from "../selectorScan.js";
import { createCodeScanner } from "./createSelectorScanner.js";

interface Found {
  readonly functions?: readonly { selector: string; arguments?: string; stateMutability?: string }[];
  readonly storage?: readonly {
    slot: string;
    offset: number;
    type: string;
    reads: string[];
    writes: string[];
  }[];
}

const withPrefix = (hex: string): Hex => `0x${hex}`;

/** One thread for the process. */
const analyse = createCodeScanner<readonly [Found], CodeAnalysis>(
  "[contractInfo(code, { selectors: true, arguments: true, stateMutability: true, storage: true })]",
  ([{ functions = [], storage = [] }]) => {
    if (functions.length > MAX_ANALYSED || storage.length > MAX_ANALYSED) return unanswered("too_much_code");
    const analysis = {
      functions: functions.map(({ selector, arguments: parameters, stateMutability }) => ({
        selector: withPrefix(selector),
        parameters: parameters ?? "",
        isView: stateMutability === "view" || stateMutability === "pure",
      })),
      storage: storage.map(({ slot, offset, type, reads, writes }) => ({
        slot: withPrefix(slot),
        offset,
        type,
        reads: reads.map(withPrefix),
        writes: writes.map(withPrefix),
      })),
    };
    const parsed = codeAnalysisSchema.safeParse(analysis);
    return parsed.success ? valueReading(parsed.data) : unanswered("analysis_malformed");
  },
);

/** What the functions of a program take, read and write. */
export async function analyseCode(bytes: Hex | undefined): Promise<Reading<CodeAnalysis>> {
  if (bytes === undefined) return unanswered("code_not_whole");
  if (bytes.length / 2 - 1 > MAX_SCANNED_BYTES) return unanswered("code_too_large");
  return analyse(bytes);
}
