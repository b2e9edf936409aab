import type { Note } from "../verdict/note.js";
import type { DecodedSwap } from "./decodeSwap.js";

export type TransferFeeCode = "FEE_ON_TRANSFER_UNSUPPORTED_FN" | "TRANSFER_FEE" | "TRANSFER_FEE_SEVERE";

interface JudgedTransferFee {
  readonly notes: readonly Note<TransferFeeCode>[];
  /** Hundredths of a percent of the pools' output that the tokens kept. */
  readonly feeBps: number;
}

const REVIEW_BPS = 500;
const BLOCK_BPS = 2000;
const WHOLE_BPS = 10_000n;

/** What the pools give against what arrives: the difference is what the tokens keep of their transfers. */
export function judgeTransferFee(
  { toleratesTransferFees }: DecodedSwap,
  promised: bigint,
  received: bigint,
): JudgedTransferFee {
  if (received >= promised) return { notes: [], feeBps: 0 };
  const feeBps = Number(((promised - received) * WHOLE_BPS) / promised);
  const notes: Note<TransferFeeCode>[] = toleratesTransferFees
    ? []
    : [{ code: "FEE_ON_TRANSFER_UNSUPPORTED_FN" }];
  if (feeBps > BLOCK_BPS) notes.push({ code: "TRANSFER_FEE_SEVERE" });
  else if (feeBps > REVIEW_BPS) notes.push({ code: "TRANSFER_FEE" });
  return { notes, feeBps };
}
