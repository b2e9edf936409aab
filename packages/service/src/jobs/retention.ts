import type { BaseContext } from "../base/context.js";
import { deleteExpiredPledges } from "../market/deleteExpiredPledges.js";
import { deleteUnusedPublications } from "../market/deleteUnusedPublications.js";
import { deleteUnchargedCalls } from "../payments/deleteUnchargedCalls.js";
import { deleteOldQuotes } from "../quotes/quotes.js";

/** Rows of one transaction: few enough that nobody waits for its locks. */
const SLICE = 1000;

/**
 * Deletes what nobody paid for once its time is over. Receipts of settled calls, their answers, credits and the log are never
 * touched.
 */
export async function deleteUnpaid({ database, settings }: BaseContext): Promise<void> {
  const { retention } = settings;
  const { unpaidHours, unusedHours } = retention;
  await inSlices((limit) => deleteUnchargedCalls(database, unpaidHours, limit));
  await inSlices((limit) => deleteOldQuotes(database, unpaidHours, limit));
  await inSlices((limit) => deleteUnusedPublications(database, unusedHours, limit));
  await inSlices((limit) => deleteExpiredPledges(database, retention, limit));
}

async function inSlices(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(SLICE)) === SLICE);
}
