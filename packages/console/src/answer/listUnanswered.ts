import { spellWord } from "../ui/format.js";

export interface UnansweredReading {
  /** Where it stands in the evidence. */
  readonly path: string;
  /** The same for people: `tokens.0.symbol` is "tokens, no. 1, symbol". */
  readonly name: string;
  readonly reason: string;
}

const inWords = (path: string): string =>
  path
    .split(".")
    .map((part) => (/^\d+$/.test(part) ? `no. ${Number(part) + 1}` : spellWord(part)))
    .join(", ");

/** Every recorded reading that was asked for and that no node answered, by where it stands in the evidence. */
export function listUnanswered(readings: unknown, path = ""): UnansweredReading[] {
  if (typeof readings !== "object" || readings === null) return [];
  const { status, reason } = readings as { status?: unknown; reason?: unknown };
  // What the rule had no use for was not asked for.
  if (status === "unanswered" && reason === "not_needed") return [];
  if (status === "unanswered")
    return [{ path, name: inWords(path), reason: spellWord(String(reason ?? "no node answered")) }];
  return Object.entries(readings).flatMap(([name, inner]) =>
    listUnanswered(inner, path ? `${path}.${name}` : name),
  );
}
