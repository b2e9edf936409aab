import { type CapabilityPrices, usdFromMicro } from "@assay/protocol";
import { createPriceBook, type PriceBook } from "../../quotes/priceBook.js";
import type { Database } from "../../store/database.js";
import { ConfigError } from "../configError.js";
import { loadPrices } from "../loadTerms.js";
import { readOperatorFile } from "../readOperatorFile.js";
import {
  type Command,
  formatTable,
  readDays,
  refuseArguments,
  takeArgument,
  withDatabase,
} from "./command.js";

interface Sales {
  readonly day: string | null;
  readonly capability_id: string;
  readonly settled: bigint;
  readonly failed: bigint;
  readonly hits: bigint;
  readonly partials: bigint;
  readonly misses: bigint;
  readonly paid: bigint;
  readonly credit: bigint;
  readonly dividend: bigint;
}

/** Sums of the rollups, which cost the same however many calls there were. Operators' own wallets are apart. */
const readSales = (database: Database, days: number, byDay: boolean): Promise<Sales[]> =>
  database.query<Sales>({
    text: `SELECT ${byDay ? "day::text" : "NULL::text"} AS day, capability_id,
             ${["settled", "failed", "hits", "partials", "misses"].map((name) => `sum(${name})::bigint AS ${name}`).join(", ")},
             sum(paid_micro_usd)::bigint AS paid, sum(credit_micro_usd)::bigint AS credit,
             sum(dividend_micro_usd)::bigint AS dividend
           FROM stats_days WHERE day > (now() AT TIME ZONE 'utc')::date - $1::int AND NOT is_simulated
           GROUP BY ${byDay ? "day, " : ""}capability_id ORDER BY day, capability_id`,
    values: [days],
  });

const usd = (micro: bigint) => usdFromMicro(micro).toFixed(3);

export const revenue: Command = {
  name: "revenue",
  usage: "[--days <n>] [--by-day]",
  summary: "what was sold and paid, by capability",
  help: `Settled calls of agents (not those of OPERATOR_WALLETS) with what was paid for them, credit that lowered their prices, and
dividends that were issued for them. What settling cost is in /metrics (assay_settlement_cost_usd_total): it is counted by each process.
Days are those of UTC, today included.

  --days <n>   how many days; 30 by default
  --by-day     one line for each day and capability`,
  examples: ["assay-admin revenue", "assay-admin revenue --days 7 --by-day --json"],
  options: { days: { type: "string" }, "by-day": { type: "boolean" } },
  async run(given) {
    refuseArguments(given);
    const days = readDays(given.values.days, 30);
    const rows = await withDatabase(given.config, (database) =>
      readSales(database, days, given.values["by-day"] === true),
    );
    const paid = rows.reduce((sum, row) => sum + row.paid, 0n);
    return {
      text: [
        ...formatTable(
          ["day", "capability", "settled", "failed", "hit", "partial", "miss", "paid", "credit", "dividends"],
          rows.map((row) => [
            row.day ?? `${days} days`,
            row.capability_id,
            row.settled,
            row.failed,
            row.hits,
            row.partials,
            row.misses,
            usd(row.paid),
            usd(row.credit),
            usd(row.dividend),
          ]),
        ),
        `In all ${usd(paid)} USD paid.`,
      ],
      json: rows.map((row) => ({
        day: row.day,
        capabilityId: row.capability_id,
        settled: Number(row.settled),
        failed: Number(row.failed),
        hits: Number(row.hits),
        partials: Number(row.partials),
        misses: Number(row.misses),
        paidUsd: usdFromMicro(row.paid),
        creditUsd: usdFromMicro(row.credit),
        dividendUsd: usdFromMicro(row.dividend),
      })),
    };
  },
};

interface Comparison {
  readonly capabilityId: string;
  readonly today: CapabilityPrices;
  readonly changed: CapabilityPrices;
  readonly calls: number;
  readonly todayMicroUsd: bigint;
  readonly changedMicroUsd: bigint;
}

const COLUMNS = ["hitMicroUsd", "partialMicroUsd", "missMicroUsd"] as const;

const comparePrices = (sales: readonly Sales[], today: PriceBook, changed: PriceBook): Comparison[] =>
  [...today].map(([capabilityId, prices]) => {
    const others = changed.get(capabilityId) as CapabilityPrices;
    const sold = sales.find((row) => row.capability_id === capabilityId);
    const counts = [sold?.hits ?? 0n, sold?.partials ?? 0n, sold?.misses ?? 0n];
    const earn = (list: CapabilityPrices) =>
      COLUMNS.reduce((sum, column, i) => sum + list[column] * (counts[i] ?? 0n), 0n);
    const calls = Number(counts.reduce((sum, count) => sum + count, 0n));
    return {
      capabilityId,
      today: prices,
      changed: others,
      calls,
      todayMicroUsd: earn(prices),
      changedMicroUsd: earn(others),
    };
  });

export const prices: Command = {
  name: "prices",
  usage: "[<file>] [--days <n>]",
  summary: "the prices, and what others would have earned",
  help: `Without a file: the prices that PRICES_FILE and the catalog give now. With one, which is written as PRICES_FILE is: what changes, and
what the calls of the last days would have earned at both lists, before credit. It takes for granted that the same calls would have
been bought, hits and misses alike; what a price does to demand it cannot know. Nothing is changed: name the file in PRICES_FILE and
start the service again.

  --days <n>   how many days of calls; 30 by default`,
  examples: ["assay-admin prices", "assay-admin prices --days 7"],
  options: { days: { type: "string" } },
  async run(given) {
    const days = readDays(given.values.days, 30);
    const today = await loadPrices(given.config);
    const isComparing = given.positionals.length > 0;
    const changed = isComparing
      ? await readOperatorFile("The file", takeArgument(given, "one file"), (value) => createPriceBook(value))
      : today;
    const sales = await withDatabase(given.config, (database) => readSales(database, days, false));
    const all = comparePrices(sales, today, changed);
    const show = (one: CapabilityPrices) => COLUMNS.map((column) => usdFromMicro(one[column])).join(" / ");
    const shown = isComparing ? all.filter((one) => show(one.today) !== show(one.changed)) : all;
    if (isComparing && shown.length === 0) throw new ConfigError("The file changes no price.");
    const sum = (of: "todayMicroUsd" | "changedMicroUsd") => all.reduce((total, one) => total + one[of], 0n);
    const heads = ["capability", "hit / partial / miss", `calls in ${days} days`, "at these prices"];
    return {
      text: [
        ...formatTable(
          isComparing ? [...heads, "new prices", "at the new prices", "difference"] : heads,
          shown.map((one) => {
            const row = [one.capabilityId, show(one.today), one.calls, usd(one.todayMicroUsd)];
            const difference = one.changedMicroUsd - one.todayMicroUsd;
            return isComparing ? [...row, show(one.changed), usd(one.changedMicroUsd), usd(difference)] : row;
          }),
        ),
        isComparing
          ? `All capabilities: ${usd(sum("todayMicroUsd"))} USD at today's prices, ${usd(sum("changedMicroUsd"))} USD at the new ones, for the same calls.`
          : `All capabilities: ${usd(sum("todayMicroUsd"))} USD before credit.`,
      ],
      json: shown.map((one) => ({
        capabilityId: one.capabilityId,
        calls: one.calls,
        ...Object.fromEntries(
          (["today", "changed"] as const).map((when) => [
            when,
            {
              cacheHitUsd: usdFromMicro(one[when].hitMicroUsd),
              fingerprintHitUsd: usdFromMicro(one[when].partialMicroUsd),
              cacheMissUsd: usdFromMicro(one[when].missMicroUsd),
              earnedUsd: usdFromMicro(one[`${when}MicroUsd`]),
            },
          ]),
        ),
      })),
    };
  },
};
