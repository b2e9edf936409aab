import { createTestDatabase } from "../../../test/createTestDatabase.js";
import { emptyTables } from "../../../test/emptyTables.js";
import { getBalance } from "../../credits/ledger.js";
import { createDatabase } from "../../store/database.js";
import type { Invocation } from "../invocations.js";
import {
  createSettlementContext,
  type SettlingCall,
  settleTogether,
  storeSettlingCall,
} from "./settlingCalls.js";

/** What settling writes, the rows that name others first. */
const TABLES = [
  ...["seeds", "publishers", "demand", "pledges", "asked_capabilities", "credit_entries", "credit_balances"],
  ...["artifacts", "responses", "invocations", "fingerprints"],
  ...["stats_days", "stats_durations", "stats_wallets", "stats_last_days", "stats_cohorts"],
];

export const walletOf = (digit: string) => `0x${digit.repeat(40)}`;
export const [alice, bob, carol] = [walletOf("a"), walletOf("b"), walletOf("c")];
export const address = walletOf("1");
export const code = (hash: string | null, block: number) => ({ address, hash, block });

/** New work on an address, which makes its payer the seeder. */
export const guardMiss = (payer: string, block = 1) =>
  ({ payer, status: "miss", priceMicroUsd: 100_000n, code: code("0xc0de", block) }) as const;
export const hit = (payer: string) => ({ payer, status: "hit" }) as const;

type Call = Partial<SettlingCall> & Pick<SettlingCall, "payer" | "status">;

/** A database in which calls are settled, and what settling them has written there. */
export async function openSettlingWorld() {
  const db = await createTestDatabase();
  /** Another process on the same database. */
  const otherDb = createDatabase({ connectionString: db.connectionString, maxConnections: 32 });
  const context = createSettlementContext(db);
  const store = (call: Call) => storeSettlingCall(db, { inputHash: "sha256:1", ...call });
  return {
    db,
    otherDb,
    context,
    store,
    async settle(...calls: Call[]): Promise<Invocation[]> {
      const stored: Invocation[] = [];
      for (const call of calls) stored.push(await store(call));
      await settleTogether(context, stored);
      return stored;
    },
    creditOf: (wallet: string) => getBalance(db, `wallet:${wallet}`),
    async getSeed(inputHash = "sha256:1") {
      const [seed] = await db.query<{
        wallet: string;
        code_hash: string | null;
        cap_micro_usd: bigint;
        earned_micro_usd: bigint;
        days: number;
      }>({
        text: `SELECT wallet, code_hash, cap_micro_usd, earned_micro_usd,
                 round(extract(epoch FROM fresh_until - now()) / 86400)::float AS days FROM seeds WHERE input_hash = $1`,
        values: [inputHash],
      });
      return seed;
    },
    async getPublisher(wallet: string) {
      const [row] = await db.query<Record<string, bigint>>({
        text: "SELECT seeded, dividends, dividend_micro_usd FROM publishers WHERE wallet = $1",
        values: [wallet],
      });
      return row;
    },
    endSeed: () => db.query({ text: "UPDATE seeds SET fresh_until = now()" }),
    empty: () => emptyTables(db, ...TABLES),
    async close() {
      await otherDb.close();
      await db.close();
    },
  };
}
