/** One word of an answer, as our lens and probe contracts return it. */
export interface Word {
  readonly isRead: boolean;
  readonly value: bigint;
}

/** Decimal; null where the contract returned no word. */
export const wordOrNull = ({ isRead, value }: Word): string | null => (isRead ? value.toString() : null);
