import { microUsdFromNumber } from "@assay/protocol";
import { type Client, type ClientConfig, createClient } from "../createClient.js";
import { BudgetError, SpendLimitError } from "../errors.js";
import { GuardRefusedError } from "../guardRefusedError.js";
import { type DayLedger, DayLimitError } from "./dayLedger.js";

interface Purse {
  readonly config: ClientConfig;
  /** A channel has one record, so one client. Without one each call has its own, which knows what it has signed. */
  readonly shared: Client | undefined;
  /** Counts what is paid, also by other processes of this user. */
  readonly ledger: DayLedger;
  readonly perCallMicroUsd: bigint;
  readonly perDayMicroUsd: bigint;
}

/** Has `buy` pay for one answer within the limits of a call and of the day. What was signed counts, whatever became of it. */
export async function payWithinDay<T>(
  { config, shared, ledger, perCallMicroUsd, perDayMicroUsd }: Purse,
  buy: (client: Client, maxPriceUsd: number) => Promise<T>,
  priceUsdOf: (bought: T) => number,
): Promise<T> {
  const most = perCallMicroUsd < perDayMicroUsd ? perCallMicroUsd : perDayMicroUsd;
  const reserved = await ledger.reserve("priceMicroUsd", most, perDayMicroUsd, { isPart: true });
  const maxPriceUsd = Number(reserved.amount) / 1e6;
  // A service may refuse a payment, be paid again, and settle both: together they stay within what was reserved.
  const client = shared ?? createClient({ ...config, maxTotalUsd: maxPriceUsd });
  const signed = () => microUsdFromNumber(client.spentUsd());
  try {
    const bought = await buy(client, maxPriceUsd);
    await reserved.settle(shared ? microUsdFromNumber(priceUsdOf(bought)) : signed());
    return bought;
  } catch (error) {
    await reserved.settle(!shared ? signed() : isUnpaid(error) ? 0n : reserved.amount);
    // The price is within what one answer may cost, and the day leaves less.
    if (
      reserved.amount < perCallMicroUsd &&
      (error instanceof SpendLimitError || error instanceof BudgetError)
    )
      throw new DayLimitError(
        "priceMicroUsd",
        microUsdFromNumber(error.priceUsd),
        perDayMicroUsd,
        perDayMicroUsd - reserved.amount,
      );
    throw error;
  }
}

/** With a channel only what surely signed nothing is given back. */
const isUnpaid = (error: unknown) =>
  error instanceof SpendLimitError && !(error instanceof GuardRefusedError);
