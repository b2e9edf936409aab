/** One word of an answer as our contracts hand it on. */
export interface Word {
  readonly isRead: boolean;
  readonly value: bigint;
}

/** Decimal; null where whoever was asked gave no word. */
export const tellWord = ({ isRead, value }: Word): string | null => (isRead ? value.toString() : null);
