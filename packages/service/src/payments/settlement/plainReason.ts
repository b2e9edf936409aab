const MAX_LENGTH = 200;

/**
 * A reason that a node or a facilitator gave, made fit for a database column and a response header: one line of
 * printable ASCII, not too long. PostgreSQL refuses a NUL, and headers have a budget.
 */
export function plainReason(given: unknown): string {
  const text = given instanceof Error ? given.message || given.name : String(given);
  const [line = ""] = text.trim().split("\n");
  return line.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, MAX_LENGTH) || "no reason given";
}
