/** Address, title and page of everything the console shows. */
export const consoleRoutes = [
  ["/", "Start", "Start"],
  ["/capabilities/:id", "Capability", "Capability"],
  ["/sign", "Before you sign", "PreSign"],
  ["/verify", "Verify", "Verify"],
  ["/receipts", "Receipts", "Receipt"],
  ["/receipts/:id", "Receipt", "Receipt"],
  ["/evidence", "Evidence", "Evidence"],
  ["/evidence/:id", "Evidence", "Evidence"],
  ["/claims", "Claims", "Claims"],
  ["/claims/:id", "Claim", "Claim"],
  ["/obligations", "Obligations", "Obligations"],
  ["/bounties", "Bounties", "Bounties"],
  ["/publishers", "Publishers", "Publisher"],
  ["/publishers/:wallet", "Publisher", "Publisher"],
  ["/stats", "Statistics", "Stats"],
  ["/log", "Log", "Log"],
] as const;
