import {
  addressSightSchema,
  healthDaysSchema,
  logEntriesSchema,
  resolvedClaimsSchema,
  verdictMixSchema,
} from "@assay/protocol";

const SIGHT_WITHIN_MS = 4_000;

/** What the service keeps for pages of this console, beside its interface. */
async function read<T>(path: string, schema: { parse(value: unknown): T }, withinMs?: number): Promise<T> {
  const answer = await fetch(path, withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) });
  if (!answer.ok) {
    const problem = (await answer.json().catch(() => undefined)) as { detail?: string } | undefined;
    throw new Error(problem?.detail ?? `The service answered with status ${answer.status}.`);
  }
  return schema.parse(await answer.json());
}

export interface EntriesAsked {
  readonly before?: number | undefined;
  readonly kind?: string | undefined;
  readonly search?: string | undefined;
}

export function readLogEntries(asked: EntriesAsked) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return read(`/log/entries.json?${query}`, logEntriesSchema);
}

/** What stands at an address now. Nobody waits long for it. */
export const readAddressSight = (address: string) =>
  read(`/addresses/sight.json?${new URLSearchParams({ address })}`, addressSightSchema, SIGHT_WITHIN_MS);

export const readResolvedClaims = () => read("/claims/resolved.json", resolvedClaimsSchema);
export const readHealthDays = () => read("/status/days.json", healthDaysSchema);
export const readVerdictMix = () => read("/stats/verdicts.json", verdictMixSchema);
