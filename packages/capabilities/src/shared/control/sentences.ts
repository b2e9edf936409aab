/** What reasons about who controls a contract and whether it is paused say, for the capabilities that share them. */
export const controlSentences = {
  CONTRACT_PAUSED: "The contract is paused.",
  NOT_PAUSED: "The contract says it is not paused.",
  PAUSE_ABSENT: "The contract has no readable pause switch.",
  PAUSE_UNREAD: "The pause state could not be read.",
  PAUSE_UNREADABLE: "The contract answers paused() with neither yes nor no.",
  ADMIN_IS_ACCOUNT: "A plain account may replace the code: one key decides.",
  ADMIN_IS_CONTRACT: "A contract may replace the code.",
  ADMIN_OWNER_RENOUNCED: "A contract that may replace the code says it has no owner.",
  ADMIN_UNREAD: "The code or the owner of an admin who may replace the code could not be read.",
  OWNER_RENOUNCED: "The contract says it has no owner: ownership was given up or never taken.",
  OWNER_IS_ACCOUNT: "The contract's owner is a plain account.",
  OWNER_IS_CONTRACT: "The contract's owner is another contract.",
  OWNER_UNREAD: "The contract's owner could not be read.",
  OWNER_UNREADABLE: "The contract answers owner() with no address.",
} as const;
