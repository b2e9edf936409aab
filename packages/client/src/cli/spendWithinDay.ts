import { join } from "node:path";
import { microUsdFromNumber } from "@assay/protocol";
import { SpendLimitError } from "../errors.js";
import { DayLimitError, openDayLedger } from "../settings/dayLedger.js";
import type { Session } from "./session.js";
import { stateFolder } from "./stateFolder.js";

/** Where all commands count what a day has cost. */
export const spendingFolder = (session: Pick<Session<object>, "terminal">): string =>
  join(stateFolder(session.terminal.env), "spending");

/**
 * Pays for something within the day's limit of the configuration, where there is one. `work` gets what it may cost at most;
 * `spentUsd` says afterwards what the client has signed in all. Throws DayLimitError when nothing is left.
 */
export async function spendWithinDay<T>(
  session: Pick<Session<object>, "config" | "terminal">,
  maxPriceUsd: number | undefined,
  spentUsd: () => number,
  work: (maxPriceUsd: number | undefined) => Promise<T>,
): Promise<T> {
  const { config } = session;
  if (!config) return work(maxPriceUsd);
  const ledger = await openDayLedger(spendingFolder(session));
  try {
    const most = microUsdFromNumber(maxPriceUsd ?? config.maxPriceUsd);
    const limit = microUsdFromNumber(config.maxPerDayUsd);
    const reserved = await ledger.reserve("priceMicroUsd", most, limit, { isPart: true });
    const before = microUsdFromNumber(spentUsd());
    try {
      return await work(Number(reserved.amount) / 1e6);
    } catch (error) {
      // The price is within what one answer may cost, and the day leaves less.
      if (error instanceof SpendLimitError && reserved.amount < most)
        throw new DayLimitError(
          "priceMicroUsd",
          microUsdFromNumber(error.priceUsd),
          limit,
          limit - reserved.amount,
        );
      throw error;
    } finally {
      await reserved.settle(microUsdFromNumber(spentUsd()) - before);
    }
  } finally {
    await ledger.close();
  }
}
