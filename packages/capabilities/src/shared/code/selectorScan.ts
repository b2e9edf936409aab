import { z } from "zod";

/** Longer code is not scanned. EIP-170 allows 24,576 bytes; some chains built on Ethereum allow more. */
export const MAX_SCANNED_BYTES = 65_536;
/** No compiler produces code with more functions than this. */
export const MAX_SELECTORS = 1024;

/** Name and version of the scanner. Another version may find other selectors, so its scans are not reused. */
export const SELECTOR_SCANNER = "evmole 0.8.4";

/** The function selectors found in a piece of bytecode: a function of the code and the scanner alone. */
export const selectorScanSchema = z.strictObject({
  /** Name and version of the program that scanned. */
  scanner: z.string().min(1).max(64),
  /** Scanned for this answer, or reused from an earlier answer about the same code. */
  source: z.enum(["now", "reused"]),
  selectors: z.array(z.string().regex(/^0x[0-9a-f]{8}$/, "must be four bytes")).max(MAX_SELECTORS),
});
export type SelectorScan = z.output<typeof selectorScanSchema>;
