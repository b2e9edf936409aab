/** What reasons about swaps say, for the capabilities that share them. */
export const swapSentences = {
  MIN_OUT_ZERO: "The swap accepts any output, however little: its minimum is zero.",
  RECIPIENT_NOT_SENDER: "Someone other than the sender receives what comes out.",
} as const;
