import type { Hex } from "@assay/protocol";
import { type DeepPool, rankPools } from "../pools/rankPools.js";
import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../pools/taxLimits.js";
import type { Note } from "../verdict/note.js";
import { type HolderCode, judgeHeld, judgeHolderSales, judgeParts, judgeRush } from "./judgeHolders.js";
import { isWithdrawable } from "./judgeHoldings.js";
import { type HookCode, judgeHooks } from "./judgeHooks.js";
import { findPause, judgeWaits, type WaitCode } from "./judgeWaits.js";
import type { LaunchReadings } from "./launchReadings.js";
import { measureFigures, measureLimits, NO_FIGURES, type TradeFigures } from "./measureFigures.js";
import {
  describeLeg,
  describeRun,
  LARGE_PPM,
  type LegFindings,
  type LegName,
  legNames,
  legOf,
  type RunFindings,
} from "./tradeRuns.js";

export type TradeCode =
  | WaitCode
  | HolderCode
  | "NO_POOL"
  | "POOL_TOO_SHALLOW"
  | "POOL_UNREAD"
  | "BUY_FAILS"
  | "BUY_LIMITED"
  | "BUY_LIMITED_TIGHTLY"
  | "SALE_FAILS"
  | "SALE_FAILS_FOR_SOME"
  | "TRANSFER_FAILS"
  | "SELLS"
  | "TAX_NONE"
  | "TAX_MODERATE"
  | "TAX_HIGH"
  | "TAX_CONFISCATORY"
  | "SENDERS_DIFFER"
  | "PLAIN_HOLDER_REFUSED"
  | "OTHER_POOL_FAILS"
  | HookCode
  | "SIMULATION_UNAVAILABLE"
  | "SIMULATION_UNFINISHED";
type Notes = Note<TradeCode>[];

/** Two senders may differ by this much, by rounding and because the pool moves. */
const SAME_TAX_BPS = 5;
/** A limit on purchases is common while a token is young. Below a thousandth of the pool it is no market. */
const TIGHT_PPM = 1_000;
/** A token's pools together with less than this, in wei, are a market that one trade empties. */
const DUST_WEI = 10n ** 17n;

export interface PoolFindings {
  readonly pool: Hex;
  /** Of V4, what its manager calls the pool, and the contract that it calls in each trade. */
  readonly id?: string;
  readonly hooks?: string;
  readonly kind: DeepPool["kind"];
  readonly quote: string;
  readonly fee: number;
  readonly depthWei: string;
  readonly runs: readonly RunFindings[];
}

interface TradeJudgement {
  readonly notes: Notes;
  readonly pools: readonly PoolFindings[];
  readonly figures: TradeFigures;
}

/** Whether the token can be bought, passed on and sold, and what each step takes. Every pool that is deep enough counts. */
export function judgeTrades(readings: LaunchReadings): TradeJudgement {
  const { pools, quotes, trades } = readings;
  if (pools.status !== "value") {
    const limitation = "Pools were not searched for: no node answered a call with state overrides.";
    return { notes: [{ code: "POOL_UNREAD", limitation }], pools: [], figures: NO_FIGURES };
  }
  const { found } = pools.value;
  const unread: Notes = found
    .filter(({ isRead }) => !isRead)
    .map(({ kind, quote, fee }) => ({
      code: "POOL_UNREAD",
      limitation: `The factory did not say whether there is a ${kind} pool against ${quote} with fee ${fee}.`,
    }));
  const ranked = rankPools(pools.value, quotes.weth);
  if (ranked.length === 0) {
    const exists = found.some(({ pool }) => pool !== null);
    const code = exists ? "POOL_TOO_SHALLOW" : "NO_POOL";
    return { notes: [...unread, { code }], pools: [], figures: NO_FIGURES };
  }
  const depth = ranked.reduce((sum, { depthWei }) => sum + depthWei, 0n);
  const shallow: Notes = depth < DUST_WEI ? [{ code: "POOL_TOO_SHALLOW" }] : [];
  const waits = judgeWaits(readings);
  const pause = findPause(readings, waits);
  const judged = ranked.map((pool, index) => {
    const own = trades.filter((trade) => trade.pool === pool.pool && trade.id === pool.id);
    const isRead = own.length > 0 && own.every(({ runs }) => runs.status === "value");
    const runs = own.flatMap(({ sender, runs: outcome }) =>
      outcome.status === "value" ? outcome.value.map((run) => describeRun(sender, run)) : [],
    );
    const crowd = index === 0 ? listCrowd(readings, waits.isPatient) : [];
    return {
      notes: isRead ? judgeRuns(runs, crowd, waits.isPatient, pause !== null) : [unavailable(pool.pool)],
      findings: describePool(pool, runs),
      pool,
      crowd,
    };
  });
  const [first] = ranked;
  const [main, ...others] = judged.filter(
    ({ notes, pool }) =>
      pool === first ||
      !pool.isNamed ||
      pool.depthWei > (first?.depthWei ?? 0n) ||
      // Anybody can open a pool with a hook that fails, and only some were traded in.
      (pool.hooks === undefined && !notes.some(isUntried)),
  );
  // A pool that one account can empty at any time hides nothing about the deepest of the others.
  const isOpen = main !== undefined && isWithdrawable(readings, main.findings);
  const kept = others.find(
    ({ pool, findings }) => isOpen && pool.depthWei >= DUST_WEI && !isWithdrawable(readings, findings),
  );
  const mainRuns = [...(main?.findings.runs ?? []), ...(main?.crowd ?? [])];
  return {
    notes: [
      ...unread,
      ...shallow,
      ...(main?.notes ?? []),
      ...(main ? notePlain(readings, main.findings.runs) : []),
      ...noteCrowd(readings),
      ...waits.notes,
      ...(pause === null ? [] : [{ code: pause }]),
      ...judgeRush(readings),
      ...judgeParts(readings),
      ...(main?.notes.some(({ code }) => code === "SELLS")
        ? [
            ...judgeHeld(readings, waits.isPatient || pause !== null),
            ...judgeHolderSales(readings, waits.isPatient || pause !== null),
          ]
        : []),
      ...others.flatMap((one) => (one === kept ? listBad(one.notes) : compare(one.notes, one.findings))),
      ...judgeHooks(readings, ranked),
    ],
    pools: judged.map(({ findings }) => findings),
    figures: { ...measureFigures(mainRuns), ...measureLimits(readings), waits: waits.waits },
  };
}

const isUntried = ({ code }: Note<TradeCode>): boolean => code === "SIMULATION_UNAVAILABLE";

const unavailable = (pool: Hex): Note<TradeCode> => ({
  code: "SIMULATION_UNAVAILABLE",
  limitation: `No trade was simulated in the pool ${pool}: no node answered a call with state overrides.`,
});

function describePool(
  { pool, kind, quote, fee, depthWei, id, hooks }: DeepPool,
  runs: readonly RunFindings[],
): PoolFindings {
  const named = { ...(id !== undefined && { id }), ...(hooks !== undefined && { hooks }) };
  return { pool, ...named, kind, quote, fee, depthWei: depthWei.toString(), runs };
}

/** Purchases and sales of the crowd in the form of the others, without the steps that it leaves out. */
function listCrowd({ crowd, crowdLater }: LaunchReadings, isPatient: boolean): RunFindings[] {
  const trips = [isPatient ? null : crowd, crowdLater].flatMap((reading) =>
    reading?.status === "value" ? reading.value : [],
  );
  return trips.flatMap(({ sender, sharePpm, legs }): RunFindings[] => {
    const [buy, sale] = legs ?? [];
    if (!buy || !sale || (!buy.success && buy.sent === "0")) return [];
    return [{ sender, sharePpm, legs: [describeLeg("buy", buy), describeLeg("sellRest", sale)] }];
  });
}

function noteCrowd({ crowd, crowdLater }: LaunchReadings): Notes {
  if ([crowd, crowdLater].some((reading) => reading !== null && reading.status !== "value"))
    return [
      {
        code: "SIMULATION_UNAVAILABLE",
        limitation: "Trades of further accounts and sizes were not simulated.",
      },
    ];
  return [];
}

function judgeRuns(
  own: readonly RunFindings[],
  crowd: readonly RunFindings[],
  isPatient: boolean,
  hasPause: boolean,
): Notes {
  const runs = [...own, ...crowd];
  const finished = runs.filter((run) => run.legs !== null);
  const bought = finished.filter((run) => legOf(run, "buy").success);
  const notes: Notes = [];
  if (finished.length < runs.length) {
    notes.push({
      code: "SIMULATION_UNFINISHED",
      limitation: "A simulated trade used up its gas or could not be begun.",
    });
  }
  if (bought.length === 0 && finished.length > 0) return [...notes, { code: "BUY_FAILS" }];
  if (bought.length < finished.length) notes.push(noteLimit(finished, bought));
  const sales = judgeSales(bought, crowd, isPatient, hasPause);
  const isSold = sales.some(({ code }) => code === "SELLS");
  // The tax of a failed sale is not known, so a low tax on the other steps shows nothing.
  const taxes = judgeTaxes(bought).filter(({ code }) => isSold || !/^TAX_(NONE|MODERATE)$/.test(code));
  notes.push(...sales, ...taxes);
  if (haveSendersDiffered(own.filter((run) => run.legs !== null))) notes.push({ code: "SENDERS_DIFFER" });
  return notes;
}

function noteLimit(finished: readonly RunFindings[], bought: readonly RunFindings[]): Note<TradeCode> {
  const failed = finished.filter((run) => !legOf(run, "buy").success);
  const smallest = Math.min(...failed.map(({ sharePpm }) => sharePpm));
  const largest = Math.max(...bought.map(({ sharePpm }) => sharePpm));
  // A limit lets everything below it through. Anything else is a choice between accounts or amounts.
  return { code: smallest > TIGHT_PPM && largest < smallest ? "BUY_LIMITED" : "BUY_LIMITED_TIGHTLY" };
}

function judgeSales(
  bought: readonly RunFindings[],
  crowd: readonly RunFindings[],
  isPatient: boolean,
  hasPause: boolean,
): Notes {
  const fails = (run: RunFindings, ...names: LegName[]) =>
    names.some((name) => run.legs?.some(({ leg }) => leg === name) && !legOf(run, name).success);
  const notes: Notes = [];
  // Where nothing arrived, nothing can be transferred or sold; the tax states that already.
  const arrived = bought.filter((run) => legOf(run, "buy").taxBps !== 10_000);
  if (arrived.length === 0) return notes;
  // A sale that only has to wait is reported by the waits; then the crowd waits before it sells.
  const failing = arrived.filter(
    (run) =>
      fails(run, "approve", "sellHalf", ...(hasPause && !crowd.includes(run) ? [] : ["sellRest" as const])) &&
      (!isPatient || crowd.includes(run)),
  );
  if (failing.length === 0) notes.push({ code: "SELLS" });
  else
    notes.push({ code: failing.every((run) => crowd.includes(run)) ? "SALE_FAILS_FOR_SOME" : "SALE_FAILS" });
  if (!isPatient && arrived.some((run) => fails(run, "transfer"))) notes.push({ code: "TRANSFER_FAILS" });
  return notes;
}

function judgeTaxes(bought: readonly RunFindings[]): Notes {
  const legs = bought
    .flatMap(({ legs: own, sharePpm }) => (own ?? []).map((leg) => ({ ...leg, sharePpm })))
    .filter(({ leg, success }) => success && leg !== "approve")
    .filter(({ taxBps, sharePpm }) => sharePpm <= LARGE_PPM || (taxBps ?? 0) >= CONFISCATORY_TAX_BPS);
  const unmeasured = legs.filter(({ taxBps }) => taxBps === null);
  const notes: Notes =
    unmeasured.length === 0
      ? []
      : [
          {
            code: "SIMULATION_UNFINISHED",
            limitation: "For some step the pool gave no quote, so its tax is unknown.",
          },
        ];
  if (legs.length === 0) return notes;
  const worst = Math.max(0, ...legs.map(({ taxBps }) => taxBps ?? 0));
  if (worst >= CONFISCATORY_TAX_BPS) return [...notes, { code: "TAX_CONFISCATORY" }];
  if (worst > HIGH_TAX_BPS) return [...notes, { code: "TAX_HIGH" }];
  return [...notes, { code: worst > 0 ? "TAX_MODERATE" : "TAX_NONE" }];
}

/** In code to which the trader seems to have no code, as at the address of an ordinary holder, and for other origins. */
function notePlain({ plain, program }: LaunchReadings, own: readonly RunFindings[]): Notes {
  if (!program?.looksAtCode && !program?.opcodes.includes("ORIGIN")) return [];
  if (plain.length === 0 || plain.some(({ runs }) => runs.status !== "value")) {
    const limitation = "How the token treats a holder without code, or another origin, was not simulated.";
    return [{ code: "SIMULATION_UNAVAILABLE", limitation }];
  }
  const runs = plain.flatMap(({ sender, runs: reading }) =>
    reading.status === "value" ? reading.value.map((run) => describeRun(sender, run)) : [],
  );
  const isWorse = runs.some((run) => {
    const same = own.find(({ sharePpm }) => sharePpm === run.sharePpm);
    return same !== undefined && legNames.some((name) => isPoorer(legOf(run, name), legOf(same, name)));
  });
  return isWorse ? [{ code: "PLAIN_HOLDER_REFUSED" }] : [];
}

const isPoorer = (one: LegFindings, other: LegFindings): boolean =>
  (other.success && !one.success) || (one.taxBps ?? 0) > (other.taxBps ?? 0) + SAME_TAX_BPS;

function haveSendersDiffered(runs: readonly RunFindings[]): boolean {
  return runs.some((one) =>
    runs.some(
      (other) =>
        other.sharePpm === one.sharePpm &&
        legNames.some((name) => differ(legOf(one, name), legOf(other, name))),
    ),
  );
}

const differ = (one: LegFindings, other: LegFindings): boolean =>
  one.success !== other.success || Math.abs((one.taxBps ?? 0) - (other.taxBps ?? 0)) > SAME_TAX_BPS;

const listBad = (notes: Notes): Notes => {
  const good = new Set<TradeCode>(["SELLS", "TAX_NONE", "TAX_MODERATE", "BUY_LIMITED"]);
  return notes.filter(({ code }) => !good.has(code));
};

/** A pool that fails or was not read beside the deepest is reported, but does not block: anyone may have opened it. */
function compare(notes: Notes, { pool }: PoolFindings): Notes {
  const bad = listBad(notes);
  if (bad.length === 0) return [];
  const codes = bad.map(({ code }) => code).join(", ");
  return [
    { code: "OTHER_POOL_FAILS", limitation: `In the pool ${pool}, which is not the deepest: ${codes}.` },
  ];
}
