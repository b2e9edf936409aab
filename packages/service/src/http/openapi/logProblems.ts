import type { ErrorCode } from "@assay/protocol";

/** The problems of every route of the transparency log. */
export const logProblems = [
  "log_inconsistent",
  "rate_limited",
  "database_unavailable",
] as const satisfies readonly ErrorCode[];
