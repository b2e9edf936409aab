import { AssayError } from "@assay/protocol";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "./database.js";

/** What an unpaid caller can make us do, and how often one address may. */
const budgets = {
  /** Each quote is a row in the database. */
  quote: { points: 120, seconds: 60 },
  /** A payment that is not signed by its payer's key makes us read the payer's code. */
  walletCheck: { points: 30, seconds: 60 },
  /** Each installation that asks for a reference is a row in the database. */
  evidenceReceiver: { points: 60, seconds: 60 },
} as const;

export type RateLimited = keyof typeof budgets;

export interface RateLimits {
  /** Counts one use, or throws `rate_limited` with the time to wait. */
  consume(what: RateLimited, address: string): Promise<void>;
}

export const noRateLimits: RateLimits = { consume: async () => {} };

/** Counted in the database, so that an address cannot multiply its budget by the number of processes. */
export function createRateLimits(database: Database): RateLimits {
  // The limiter computes with its expiry as a number; our driver reads 64-bit integers as bigint.
  const storeClient = {
    async query(statement: { name?: string; text: string; values: unknown[] }) {
      const rows = await database.query<{ expire?: unknown }>(statement);
      return { rows: rows.map((row) => ({ ...row, expire: Number(row.expire) })), rowCount: rows.length };
    },
  };
  const limiters = Object.fromEntries(
    Object.entries(budgets).map(([keyPrefix, { points, seconds }]) => [
      keyPrefix,
      new RateLimiterPostgres({
        storeClient,
        storeType: "client",
        tableName: "rate_limits",
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix,
        points,
        duration: seconds,
        // Once over, an address is refused from memory until its window ends.
        inMemoryBlockOnConsumed: points,
      }),
    ]),
  );
  return {
    async consume(what, address) {
      try {
        await limiters[what]?.consume(address);
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        const retryAfterSeconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1000));
        const { points, seconds } = budgets[what];
        throw new AssayError("rate_limited", `At most ${points} of these in ${seconds} s from one address.`, {
          retryAfterSeconds,
        });
      }
    },
  };
}

/** Counters whose window ended long ago say nothing any more. */
export async function deleteOldRateLimits(database: Database): Promise<void> {
  await database.query({
    text: "DELETE FROM rate_limits WHERE expire < (extract(epoch FROM now()) * 1000)::bigint - 3600000",
  });
}
