import type { CapabilityPrices } from "@assay/protocol";
import { type CreditMove, issueMove } from "../credits/ledger.js";
import type { Transaction } from "../store/database.js";
import { inOrder } from "../store/inOrder.js";
import { type ClaimedSeed, claimSeeds, openSeeds } from "./claimSeeds.js";
import { honourPledges } from "./honourPledges.js";
import { listSeedClaims } from "./listSeedClaims.js";
import { type Dividend, isReuse, payDividends } from "./payDividends.js";
import type { SettledCall } from "./settledCall.js";

/** What the settling transaction still has to write down: `recordSeeders` the first two, `moveCredits` the credit. */
export interface MarketEffects {
  readonly dividends: readonly Dividend[];
  readonly claimedSeeds: readonly ClaimedSeed[];
  readonly issued: readonly CreditMove[];
}

/**
 * What settled calls cause in the market, in the transaction that settles them: credit for pledges they honour,
 * dividends to the seeders of what they reused, seeds for what they computed. The calls must be `settled` in it already
 * and their answers published. Each is given once in its life: the state's transition guards that, and the causes of the
 * entries once more.
 *
 * Rows are locked in one order everywhere: pledges, asked capabilities, seeds, publishers, demand, each by its key.
 */
export async function applySettlements(
  tx: Transaction,
  calls: readonly SettledCall[],
  prices: ReadonlyMap<string, CapabilityPrices>,
): Promise<MarketEffects> {
  const reuses = calls.filter(isReuse);
  const seedClaims = listSeedClaims(calls, prices);
  const inputHashes = [
    ...reuses.map(({ reusedInputHash }) => reusedInputHash),
    ...seedClaims.map(({ inputHash }) => inputHash),
  ];
  const [pledged, , , dividends, claimedSeeds] = await inOrder(tx, [
    (tx) => honourPledges(tx, calls),
    (tx) => openSeeds(tx, seedClaims),
    (tx) => lockSeeds(tx, inputHashes),
    // Before seeds are claimed, while the seeds are still those that were reused.
    (tx) => payDividends(tx, reuses),
    (tx) => claimSeeds(tx, seedClaims),
  ]);
  const earned = dividends.map(({ invocationId, seeder, amountMicroUsd }) =>
    issueMove(seeder, "dividend", invocationId, amountMicroUsd),
  );
  return { dividends, claimedSeeds, issued: [...pledged, ...earned] };
}

/** Locks all seeds that are read or claimed, by key; each statement after this sees them as they are under the lock. */
async function lockSeeds(tx: Transaction, inputHashes: readonly string[]): Promise<void> {
  if (inputHashes.length === 0) return;
  await tx.query({
    name: "seeds_lock",
    text: "SELECT FROM seeds WHERE input_hash = ANY($1) ORDER BY input_hash FOR UPDATE",
    values: [[...new Set(inputHashes)]],
  });
}
