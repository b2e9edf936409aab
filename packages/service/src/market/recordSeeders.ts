import type { Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import type { ClaimedSeed } from "./claimSeeds.js";
import type { Dividend } from "./payDividends.js";

/** Adds dividends and seeds to the wallets' records, and takes what was seeded off the list of bounties. */
export async function recordSeeders(
  tx: Transaction,
  dividends: readonly Dividend[],
  claimed: readonly ClaimedSeed[],
): Promise<void> {
  if (dividends.length === 0 && claimed.length === 0) return;
  const news = [
    ...dividends.map(({ seeder, amountMicroUsd }) => ({ wallet: seeder, dividend: String(amountMicroUsd) })),
    ...claimed.map(({ wallet }) => ({ wallet, dividend: null })),
  ];
  await inOrder(tx, [
    (tx) =>
      tx.query({
        name: "seeders_record",
        text: `INSERT INTO publishers AS p (wallet, seeded, dividends, dividend_micro_usd)
               SELECT wallet, count(*) - count(dividend), count(dividend), coalesce(sum(dividend), 0)
               FROM json_to_recordset($1) AS n (wallet text, dividend bigint) GROUP BY wallet ORDER BY wallet
               ON CONFLICT (wallet) DO UPDATE SET seeded = p.seeded + excluded.seeded,
                 dividends = p.dividends + excluded.dividends,
                 dividend_micro_usd = p.dividend_micro_usd + excluded.dividend_micro_usd`,
        values: [JSON.stringify(news)],
      }),
    (tx) => removeDemand(tx, claimed),
  ]);
}

async function removeDemand(tx: Transaction, claimed: readonly ClaimedSeed[]): Promise<void> {
  if (claimed.length === 0) return;
  await tx.query({
    name: "demand_met_by_calls",
    text: `WITH met AS MATERIALIZED (
             SELECT input_hash FROM demand WHERE input_hash = ANY($1) ORDER BY input_hash FOR UPDATE)
           DELETE FROM demand d USING met m WHERE d.input_hash = m.input_hash`,
    values: [claimed.map(({ inputHash }) => inputHash)],
  });
}
