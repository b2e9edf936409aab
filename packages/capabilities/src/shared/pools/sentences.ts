/** What reasons about a token's pools say, for the capabilities that share them. */
export const poolSentences = {
  POOL_TOO_SHALLOW: "The token's pools hold too little to judge it by.",
  POOL_UNREAD: "Whether and where the token trades could not be read.",
} as const;
