import { AssayError } from "@assay/protocol";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { z } from "zod";
import type { Database } from "./database.js";

/**
 * What an unpaid caller can make us do, and how often one caller may. The caller is an address, and for what is signed
 * the wallet too; each is counted on its own. A 402 costs no work and has no budget.
 */
const budgets = {
  /** By address: each quote is a row in the database. */
  quote: { points: 120, seconds: 60 },
  /** By address: a payment that does not pass costs us a verification, work that fails is paid by nobody, and a wrong secret is a guess. */
  refusedPayment: { points: 60, seconds: 60 },
  /** By address: a signature that is not its wallet's key makes us read the wallet's code. */
  walletCheck: { points: 120, seconds: 60 },
  /** By address: a page is fetched and parsed while the payment is still being verified, and costs nothing if it fails. */
  page: { points: 30, seconds: 60 },
  /** By address: each installation that asks for a reference is a row in the database. */
  evidenceReceiver: { points: 60, seconds: 60 },
  /** By address: receipts, evidence, log, bounties, opportunities, publishers, a claim; a few indexed reads each. */
  read: { points: 600, seconds: 60 },
  /** By address: what stands at an address of the chain is read for the console's box, in one request to a node. */
  addressSight: { points: 60, seconds: 60 },
  /** By address: the picture of a shared answer is drawn, a twentieth of a second of work. One that was drawn lately costs nothing. */
  card: { points: 60, seconds: 60 },
  /** By address: the answer is computed at most every 30 s, so asking more often gives nothing new. */
  stats: { points: 60, seconds: 60 },
  /** By address: the feed of open claims. */
  claimFeed: { points: 120, seconds: 60 },
  /** By address: a claim is checked against the chain before its opener is asked to pay. */
  claimCheck: { points: 60, seconds: 60 },
  /** By address: every signed action, for any wallet; wallets cost nothing to make. */
  signedAction: { points: 600, seconds: 60 },
  /** By wallet: its record adds up thirty days of its calls. */
  walletRecord: { points: 30, seconds: 60 },
  /** By wallet: a publication is recomputed from the chain, and stays on the record. */
  publish: { points: 60, seconds: 60 },
  /** By wallet: each pledge is a row in the database. */
  pledge: { points: 60, seconds: 60 },
  /** By wallet: each outcome is a row in the database. */
  outcome: { points: 120, seconds: 60 },
  /** By wallet: the evidence of a challenge is read from the chain. */
  challenge: { points: 30, seconds: 60 },
  /** By address, for any wallet: each challenge stays in the log for ever. */
  challengeFrom: { points: 60, seconds: 60 },
  /** By wallet: each decision is a row in the database. */
  decision: { points: 120, seconds: 60 },
  /** By wallet: we pay for the transaction of a deposit. A top-up lasts for ten calls unless its payer chooses otherwise. */
  deposit: { points: 30, seconds: 3600, rule: "deposits of one wallet" },
  /** By address, for any wallet. */
  depositFrom: { points: 300, seconds: 3600, rule: "deposits from one address" },
  /** By channel: we pay for the transaction of a refund, and anyone who holds the newest voucher can ask for one. */
  refund: { points: 3, seconds: 3600, rule: "refunds of one channel" },
  /** By wallet, for all its channels. */
  refundOf: { points: 10, seconds: 3600, rule: "refunds of one wallet" },
  /** By address, for any wallet. */
  refundFrom: { points: 60, seconds: 3600, rule: "refunds from one address" },
} as const satisfies Record<string, Budget>;

export interface Budget {
  readonly points: number;
  readonly seconds: number;
  /** What is counted, where it is not the request itself. */
  readonly rule?: string;
}

export type RateLimited = keyof typeof budgets;
export type Budgets = Readonly<Record<RateLimited, Budget>>;

const DAY_SECONDS = 86_400;
const overridesSchema = z.partialRecord(
  z.enum(Object.keys(budgets) as [RateLimited, ...RateLimited[]]),
  z.strictObject({
    points: z.int().min(1).max(1_000_000).optional(),
    seconds: z.int().min(1).max(DAY_SECONDS).optional(),
  }),
);

/** The budgets with an operator's changes, refused where they make no sense. */
export function createBudgets(overrides: unknown = {}): Budgets {
  const parsed = overridesSchema.safeParse(overrides);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RangeError(`${issue?.path.join(" ") || "limits"}: ${issue?.message.toLowerCase()}`);
  }
  const names = Object.keys(budgets) as RateLimited[];
  return Object.fromEntries(
    names.map((name) => [name, { ...budgets[name], ...parsed.data[name] }]),
  ) as unknown as Budgets;
}

export interface RateLimits {
  /** Counts one use by this address or wallet, or throws `rate_limited` with the time to wait. */
  consume(what: RateLimited, key: string): Promise<void>;
  /** Throws `rate_limited` if this process has seen the budget spent; counts and asks nothing. */
  refuseIfSpent(what: RateLimited, key: string): void;
}

export const noRateLimits: RateLimits = { consume: async () => {}, refuseIfSpent: () => {} };

/** Counted in the database, so that an address cannot multiply its budget by the number of processes. */
export function createRateLimits(database: Database, given: Budgets = budgets): RateLimits {
  // The limiter computes with its expiry as a number; our driver reads 64-bit integers as bigint.
  const storeClient = {
    async query(statement: { name?: string; text: string; values: unknown[] }) {
      const rows = await database.query<{ expire?: unknown }>(statement);
      return { rows: rows.map((row) => ({ ...row, expire: Number(row.expire) })), rowCount: rows.length };
    },
  };
  const limiters = Object.fromEntries(
    Object.entries(given).map(([keyPrefix, { points, seconds }]) => [
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
  /** Unix milliseconds at which each budget that was spent is full again. */
  const spentUntilMs = new Map<string, number>();
  return {
    async consume(what, key) {
      try {
        await limiters[what]?.consume(key);
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        spentUntilMs.set(`${what} ${key}`, Date.now() + rejection.msBeforeNext);
        if (spentUntilMs.size > MAX_SPENT) spentUntilMs.delete(spentUntilMs.keys().next().value as string);
        throw rateLimited(given[what], rejection.msBeforeNext);
      }
    },
    refuseIfSpent(what, key) {
      const leftMs = (spentUntilMs.get(`${what} ${key}`) ?? 0) - Date.now();
      if (leftMs > 0) throw rateLimited(given[what], leftMs);
    },
  };
}

const MAX_SPENT = 10_000;

function rateLimited(
  { points, seconds, rule = "of these from one caller" }: Budget,
  leftMs: number,
): AssayError {
  return new AssayError("rate_limited", `At most ${points} ${rule} in ${seconds} s.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  });
}

/** Counters whose window ended long ago say nothing any more. */
export async function deleteOldRateLimits(database: Database): Promise<void> {
  await database.query({
    text: "DELETE FROM rate_limits WHERE expire < (extract(epoch FROM now()) * 1000)::bigint - 3600000",
  });
}
