/** What reasons about parts that several capabilities read say, for the capabilities that share them. */
export const commonSentences = {
  MARKET_UNREAD: "Something that the market says of itself could not be read.",
  ORACLE_UPGRADEABLE: "The code of the oracle can be replaced.",
  ORACLE_UNREAD: "Something about the oracle that matters could not be read.",
} as const;
