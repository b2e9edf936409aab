/** Pages of records: address, name, and what is found there. */
export const recordPages = [
  [
    "/wallet",
    "Your wallet",
    "What your agent bought and spent, and what it was stopped from. For its owner only.",
  ],
  ["/receipts", "Receipts", "What became of a payment, and its place in the log."],
  ["/evidence", "Evidence", "Where a shared answer came from, and until when it holds."],
  ["/obligations", "Obligations", "What this service promises about contracts, open to anyone's challenge."],
  ["/bounties", "Bounties", "Questions that were asked and that nobody has answered yet."],
  ["/publishers", "Publishers", "Who published work that others use, and how its checks turned out."],
  ["/stats", "Statistics", "Thirty days of calls, prices and verdicts."],
  ["/status", "Status", "Whether the service works now, and how its last thirty days went."],
  ["/log", "Log", "The list of everything that was sold, which cannot be rewritten unnoticed."],
] as const;

export const isRecordPage = (path: string): boolean =>
  path === "/records" || recordPages.some(([href]) => path === href || path.startsWith(`${href}/`));
