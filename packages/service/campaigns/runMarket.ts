import type { Hex } from "@assay/protocol";
import { listBounties } from "../src/market/listBounties.js";
import { getPublisherRecord } from "../src/market/publisherRecord.js";
import { readStats } from "../src/market/readStats.js";
import { createPriceBook } from "../src/quotes/priceBook.js";
import type { Database, Queryable } from "../src/store/database.js";
import { createCampaignWorld } from "./campaignWorld.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { explainQueries, type QueryCost } from "./explainQueries.js";
import { fillMarket, type MarketSizes } from "./fillMarket.js";

export interface MarketOptions extends CampaignOptions {
  /** Settled calls in the database; everything else is in proportion. */
  readonly rows: number;
  readonly questions?: readonly Question[];
  /** How often each answer is timed; fifty times unless stated. */
  readonly repeats?: number;
  readonly postgresUrl?: string;
}

interface AnswerCost extends QueryCost {
  readonly answer: string;
  readonly invocations: number;
  /** Of the whole answer, as a route waits for it. */
  readonly msMedian: number;
  readonly msMax: number;
}

export interface MarketSummary extends CampaignSummary {
  readonly sizes: readonly MarketSizes[];
  readonly answers: readonly AnswerCost[];
  readonly ms: number;
}

/** A question to the market, and how many rows its answer may take, however long the history. */
export interface Question {
  readonly answer: string;
  readonly rowsAllowed: number;
  readonly ask: (db: Queryable, sizes: MarketSizes) => Promise<unknown>;
}

const SMALL = 1_000;

/** The days that are kept, of two kinds of traffic: 16 capabilities, 13 buckets, two counts of wallets. */
const STATS_ROWS = 42 * 2 * (16 + 13 + 2);

const prices = createPriceBook();

const marketQuestions: readonly Question[] = [
  { answer: "stats", rowsAllowed: STATS_ROWS, ask: (db) => readStats(db, new Date()) },
  {
    answer: "bounties",
    // A hundred, and those too young that rank among them.
    rowsAllowed: 500,
    ask: (db) =>
      listBounties(db, { prices, wallet: undefined, isProven: false, delaySeconds: 7200, limit: 100 }),
  },
  {
    answer: "bounties with a passport",
    // And all those too young, which are counted: one in twenty of at most ten thousand.
    rowsAllowed: 1_500,
    ask: (db, { busiestPublisher }) =>
      listBounties(db, {
        prices,
        wallet: busiestPublisher as Hex,
        isProven: true,
        delaySeconds: 7200,
        limit: 100,
      }),
  },
  {
    answer: "publisher",
    // Its record and its twenty newest publications.
    rowsAllowed: 30,
    ask: (db, { busiestPublisher }) => getPublisherRecord(db, busiestPublisher as Hex),
  },
];

/** Asks a small and a large market the same questions: the cost of an answer must not grow with the history. */
export async function runMarket(options: MarketOptions): Promise<MarketSummary> {
  const startedAt = performance.now();
  const tell = (line: string) => options.onProgress?.(`market: ${line}`);
  const questions = options.questions ?? marketQuestions;
  const world = await createCampaignWorld({ postgresUrl: options.postgresUrl });
  try {
    const sizes: MarketSizes[] = [];
    const answers: AnswerCost[] = [];
    let filled = 0;
    for (const rows of new Set([Math.min(SMALL, options.rows), options.rows])) {
      const market = await fillMarket(world.db, filled + 1, rows);
      filled = rows;
      sizes.push(market);
      tell(`${rows} settled calls after ${Math.round((performance.now() - startedAt) / 1000)} s`);
      for (const question of questions) {
        const cost = await measure(world.db, question, market, options.repeats ?? 50);
        tell(`${cost.answer}: ${cost.msMedian} ms, ${cost.rowsRead} rows, ${cost.scans.join(", ")}`);
        answers.push(cost);
      }
    }
    // The server may read all of a small table; only the large market counts.
    const large = answers.filter(({ invocations }) => invocations === options.rows);
    const violations = large.flatMap((cost) => listExcesses(questions, cost));
    const ms = Math.round(performance.now() - startedAt);
    return { campaign: "market", seed: options.seed, sizes, answers, violations, ms };
  } finally {
    await world.close();
  }
}

async function measure(
  db: Database,
  { answer, ask }: Question,
  market: MarketSizes,
  repeats: number,
): Promise<AnswerCost> {
  const cost = await explainQueries(db, (recorded) => ask(recorded, market));
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const startedAt = performance.now();
    await ask(db, market);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const rounded = (ms: number | undefined) => Math.round((ms ?? 0) * 100) / 100;
  return {
    answer,
    invocations: market.invocations,
    msMedian: rounded(times[Math.floor(repeats / 2)]),
    msMax: rounded(times[repeats - 1]),
    ...cost,
  };
}

function listExcesses(
  asked: readonly Question[],
  { answer, invocations, rowsRead, scans }: AnswerCost,
): string[] {
  const allowed = asked.find((question) => question.answer === answer)?.rowsAllowed ?? 0;
  const excesses: string[] = [];
  if (rowsRead > allowed)
    excesses.push(`${answer} read ${rowsRead} rows with ${invocations} calls; ${allowed} are enough`);
  for (const scan of scans)
    if (/ on invocations$/.test(scan)) excesses.push(`${answer} reads the calls themselves: ${scan}`);
  return excesses;
}
