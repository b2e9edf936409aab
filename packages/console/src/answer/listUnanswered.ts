export interface UnansweredReading {
  readonly path: string;
  readonly reason: string;
}

/** Every recorded reading that no node answered, by where it stands in the evidence. */
export function listUnanswered(readings: unknown, path = ""): UnansweredReading[] {
  if (typeof readings !== "object" || readings === null) return [];
  const { status, reason } = readings as { status?: unknown; reason?: unknown };
  if (status === "unanswered") return [{ path, reason: String(reason ?? "no node answered") }];
  return Object.entries(readings).flatMap(([name, inner]) =>
    listUnanswered(inner, path ? `${path}.${name}` : name),
  );
}
