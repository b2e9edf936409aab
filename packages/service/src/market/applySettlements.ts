import type { CapabilityPrices } from "@assay/protocol";
import { type CreditMove, issueMove } from "../credits/ledger.js";
import type { Queryable } from "../store/database.js";
import { claimSeeds, openSeeds } from "./claimSeeds.js";
import { honourPledges } from "./honourPledges.js";
import { listSeedClaims } from "./listSeedClaims.js";
import { isReuse, payDividends } from "./payDividends.js";
import { recordSeeders } from "./recordSeeders.js";
import type { SettledCall } from "./settledCall.js";

/**
 * What settled calls cause in the market, in the transaction that settles them: credit for pledges they honour,
 * dividends to the seeders of what they reused, seeds for what they computed. Returns the credit this creates, for
 * `moveCredits` in the same transaction. The calls must be `settled` in it already and their answers published. Each is
 * given once in its life: the state's transition guards that, and the causes of the entries once more.
 *
 * Rows are locked in one order everywhere: pledges, asked capabilities, seeds, publishers, demand, each by its key.
 */
export async function applySettlements(
  tx: Queryable,
  calls: readonly SettledCall[],
  prices: ReadonlyMap<string, CapabilityPrices>,
): Promise<CreditMove[]> {
  const reuses = calls.filter(isReuse);
  const claims = listSeedClaims(calls, prices);
  const [pledged, , , dividends, claimed] = await Promise.all([
    honourPledges(tx, calls),
    openSeeds(tx, claims),
    lockSeeds(tx, [
      ...reuses.map(({ reusedInputHash }) => reusedInputHash),
      ...claims.map(({ inputHash }) => inputHash),
    ]),
    // First, while the seeds are still those that were reused.
    payDividends(tx, reuses),
    claimSeeds(tx, claims),
  ]);
  await recordSeeders(tx, dividends, claimed);
  return [
    ...pledged,
    ...dividends.map(({ invocationId, seeder, amountMicroUsd }) =>
      issueMove(seeder, "dividend", invocationId, amountMicroUsd),
    ),
  ];
}

/** All that are touched, in one order; and each statement after this sees them as they are under the lock. */
async function lockSeeds(tx: Queryable, inputHashes: readonly string[]): Promise<void> {
  if (inputHashes.length === 0) return;
  await tx.query({
    name: "seeds_lock",
    text: "SELECT FROM seeds WHERE input_hash = ANY($1) ORDER BY input_hash FOR UPDATE",
    values: [[...new Set(inputHashes)]],
  });
}
