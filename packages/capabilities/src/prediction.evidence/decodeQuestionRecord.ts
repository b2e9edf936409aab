import type { Hex } from "@assay/protocol";

/** A question's record in UMA's adapters. */
export interface QuestionRecord {
  readonly isResolved: boolean;
  readonly isPaused: boolean;
  /** Whether its operators have announced that they will decide by hand. */
  readonly isManual: boolean;
  /** The bytes whose hash is the question's id. */
  readonly text: Hex;
}

/** Words of the record before its text, and the positions of those that matter. Adapters have had three forms. */
const FORMS = [
  { head: 9, manual: 3, resolved: 4, paused: 5 },
  { head: 11, manual: 4, resolved: 5, paused: 6 },
  { head: 12, manual: 4, resolved: 5, paused: 6 },
] as const;

/** Null where the bytes are no complete record. Written for answers of unknown contracts: it never throws. */
export function decodeQuestionRecord(data: Hex): QuestionRecord | null {
  const word = (index: number): bigint => BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64) || "0"}`);
  const bytes = (data.length - 2) / 2;
  for (const { head, manual, resolved, paused } of FORMS) {
    // The record's own offset, its words, the text's length.
    const before = (head + 2) * 32;
    if (bytes < before || word(0) !== 32n || word(head) !== BigInt(head * 32)) continue;
    const length = word(head + 1);
    if (length === 0n || length > BigInt(bytes - before)) return null;
    const start = 2 + before * 2;
    return {
      isResolved: word(1 + resolved) !== 0n,
      isPaused: word(1 + paused) !== 0n,
      isManual: word(1 + manual) !== 0n,
      text: `0x${data.slice(start, start + Number(length) * 2).toLowerCase()}`,
    };
  }
  return null;
}
