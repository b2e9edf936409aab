import { loadLookAtAddress } from "@assay/capabilities/served";
import { AssayError, lowercaseAddressSchema } from "@assay/protocol";
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { BaseContext } from "../../base/context.js";
import { listResolvedClaims } from "../../claims/readClaims.js";
import { listEntries } from "../../log/listEntries.js";
import { readVerdictMix } from "../../market/readVerdictMix.js";
import { readHealthDays } from "../../store/readHealthDays.js";
import { clientAddress } from "../clientAddress.js";
import { countSchema, limitSchema, parseFields, readQuery } from "../readInput.js";
import type { Env } from "../route.js";
import { searchLog } from "./searchLog.js";

const entriesQuery = z.object({
  before: countSchema.optional(),
  limit: limitSchema(100, 25),
  kind: z
    .string()
    .regex(/^[a-z]{1,32}$/, "must be the name of a kind of entry")
    .optional(),
  search: z.string().trim().min(1, "must not be empty").max(128, "must be at most 128 characters").optional(),
});
const sightQuery = z.object({ address: lowercaseAddressSchema });
const claimsQuery = z.object({ limit: limitSchema(100, 50) });

/** Thirty days are added up anew at most this often. */
const REUSE_MS = 15_000;

/**
 * What the console's pages of records show beside the service's interface. These addresses are the console's own: they change
 * with it, and the OpenAPI document does not name them.
 */
export function addRecordPages(app: Hono<Env>, { chain, database, limits, settings }: BaseContext): void {
  const add = (path: string, read: (c: Context<Env>) => Promise<object>) =>
    app.get(path, async (c) => {
      await limits.consume("read", clientAddress(c));
      return c.json(await read(c), 200, { "cache-control": "no-store" });
    });
  const readHealth = reuse(() => readHealthDays(database, new Date()));
  const readMix = reuse(() => readVerdictMix(database, new Date()));
  add("/log/entries.json", async (c) => {
    const { search, ...asked } = parseFields(entriesQuery, readQuery(c));
    return search === undefined ? listEntries(database, asked) : searchLog(database, search);
  });
  add("/claims/resolved.json", async (c) => {
    const { limit } = parseFields(claimsQuery, readQuery(c));
    if (settings.claimsFeed !== "enabled")
      throw new AssayError("not_found", "The list of claims is switched off here.");
    return { claims: await listResolvedClaims(database, settings.publicUrl, limit) };
  });
  add("/addresses/sight.json", async (c) => {
    await limits.consume("addressSight", clientAddress(c));
    const { address } = parseFields(sightQuery, { address: readQuery(c).address });
    const lookAtAddress = await loadLookAtAddress();
    const sight = await lookAtAddress({ chain, ...settings }, chain.getFreshHead().header, address);
    if (!sight) throw new AssayError("chain_unavailable", "The account could not be read.");
    return sight;
  });
  add("/status/days.json", readHealth);
  add("/stats/verdicts.json", readMix);
}

/** Reads once in a while, however many ask meanwhile. A failure is not remembered. */
function reuse<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: { readonly atMs: number; readonly value: Promise<T> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (latest && nowMs - latest.atMs < REUSE_MS) return latest.value;
    const asked = { atMs: nowMs, value: read() };
    asked.value.catch(() => {
      if (latest === asked) latest = undefined;
    });
    latest = asked;
    return asked.value;
  };
}
