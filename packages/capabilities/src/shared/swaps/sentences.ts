/** What reasons about swaps and pools say, for the capabilities that share them. */
export const swapSentences = {
  MIN_OUT_ZERO: "The swap accepts any output, however little: its minimum is zero.",
  RECIPIENT_NOT_SENDER: "Someone other than the sender receives what comes out.",
  POOL_TOO_SHALLOW: "The token's pools hold too little to judge it by.",
  POOL_UNREAD: "Whether and where the token trades could not be read.",
} as const;
