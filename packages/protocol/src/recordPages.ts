import { z } from "zod";
import { claimRecordSchema } from "./claimShapes.js";
import { dateTimeSchema, hash32Schema, lowercaseAddressSchema } from "./primitives.js";

const countSchema = z.int().min(0);

export const logEntrySchema = z.object({
  /** Its place, from 0. */
  index: countSchema,
  /** Such as `receipt`, `claim` or `publication`. */
  kind: z.string(),
  /** RFC 6962 hash of the leaf: what a path to the root begins with. */
  leafHash: hash32Schema,
  /** The exact text of the leaf; null where only those who have its receipt may know what it is about. */
  leaf: z.string().nullable(),
});

/** GET /log/entries.json, newest first. */
export const logEntriesSchema = z.object({
  /** Entries of the log when this was read. */
  size: countSchema,
  entries: z.array(logEntrySchema),
  /** Entries before this one may follow; null at the beginning of the log. */
  next: countSchema.nullable(),
});

/** GET /claims/resolved.json, the newest decision first. */
export const resolvedClaimsSchema = z.object({ claims: z.array(claimRecordSchema) });

/** GET /status/days.json. */
export const healthDaysSchema = z.object({
  /** Oldest first, today last, in UTC. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      /** Minutes that the service is known to have existed in. */
      minutes: countSchema,
      /** Those of them in which it was ready, in fractions where it was for a part of a minute. */
      readyMinutes: z.number().min(0),
      /** Parts that failed at some time of the day. */
      failed: z.array(z.string()),
    }),
  ),
  /** Stretches of at least a minute in which the service was not ready, the newest first. */
  interruptions: z.array(
    z.object({
      from: dateTimeSchema,
      to: dateTimeSchema,
      /** Parts that failed; none where the service itself did not run. */
      failed: z.array(z.string()),
    }),
  ),
});

const verdictCountsSchema = z.object({ allow: countSchema, review: countSchema, block: countSchema });

/** GET /stats/verdicts.json: verdicts of shared answers in the thirty days of the statistics. */
export const verdictMixSchema = z.object({ agents: verdictCountsSchema, simulated: verdictCountsSchema });

/** GET /addresses/sight.json: what stands at an address now, from which the console chooses the question that fits. No verdict. */
export const addressSightSchema = z.object({
  address: lowercaseAddressSchema,
  /** `account`: no code; `delegated`: an account that runs a contract's code (EIP-7702). */
  kind: z.enum(["account", "delegated", "contract", "token"]),
  /** Under which it is published; null for what calls itself anything. */
  name: z.string().nullable(),
  /** Of a token: pools against ether or dollars with something in them; null where that is not known. */
  pools: countSchema.nullable(),
});

export type AddressSight = z.infer<typeof addressSightSchema>;
export type LogEntry = z.infer<typeof logEntrySchema>;
export type LogEntries = z.infer<typeof logEntriesSchema>;
export type ResolvedClaims = z.infer<typeof resolvedClaimsSchema>;
export type HealthDays = z.infer<typeof healthDaysSchema>;
export type VerdictMix = z.infer<typeof verdictMixSchema>;
