import type { Hex } from "@assay/protocol";
import { type DeepPool, rankPools } from "../shared/pools/rankPools.js";
import { CONFISCATORY_TAX_BPS, HIGH_TAX_BPS } from "../shared/pools/taxLimits.js";
import type { Note } from "../shared/verdict/note.js";
import { measureTaxBps } from "./measureTaxBps.js";
import type { LaunchLeg, LaunchRun, TradeReadings } from "./tradeReadings.js";

export type TradeCode =
  | "NO_POOL"
  | "POOL_TOO_SHALLOW"
  | "POOL_UNREAD"
  | "BUY_FAILS"
  | "BUY_LIMITED"
  | "SALE_FAILS"
  | "TRANSFER_FAILS"
  | "SELLS"
  | "TAX_NONE"
  | "TAX_MODERATE"
  | "TAX_HIGH"
  | "TAX_CONFISCATORY"
  | "SENDERS_DIFFER"
  | "OTHER_POOL_FAILS"
  | "SIMULATION_UNAVAILABLE"
  | "SIMULATION_UNFINISHED";
type Notes = Note<TradeCode>[];

/** Two senders may differ by this much, by rounding and because the pool moves. */
const SAME_TAX_BPS = 5;

const legNames = ["buy", "transfer", "approve", "sellHalf", "sellRest"] as const;
type LegName = (typeof legNames)[number];

interface LegFindings {
  readonly leg: LegName;
  readonly success: boolean;
  /** Null for an approval, for a step not reached, and where nothing was promised. */
  readonly taxBps: number | null;
  readonly refusal: string | null;
}

interface RunFindings {
  readonly sender: string;
  readonly shareBps: number;
  readonly legs: readonly LegFindings[] | null;
}

export interface PoolFindings {
  readonly pool: Hex;
  readonly kind: DeepPool["kind"];
  readonly quote: string;
  readonly fee: number;
  readonly depthWei: string;
  readonly runs: readonly RunFindings[];
}

interface TradeJudgement {
  readonly notes: Notes;
  readonly pools: readonly PoolFindings[];
}

/** Whether the token can be bought, passed on and sold, and what each step takes. The deepest pool decides. */
export function judgeTrades(readings: TradeReadings): TradeJudgement {
  const { pools, quotes, trades } = readings;
  if (pools.status !== "value") {
    const limitation = "Pools were not searched for: no node answered a call with state overrides.";
    return { notes: [{ code: "POOL_UNREAD", limitation }], pools: [] };
  }
  const { found } = pools.value;
  const unansweredPools = found.filter(({ isRead }) => !isRead);
  const unread: Notes = unansweredPools.map(({ kind, quote, fee }) => ({
    code: "POOL_UNREAD",
    limitation: `The factory did not say whether there is a ${kind} pool against ${quote} with fee ${fee}.`,
  }));
  const ranked = rankPools(pools.value, quotes.weth);
  if (ranked.length === 0) {
    const exists = found.some(({ pool }) => pool !== null);
    return { notes: [...unread, { code: exists ? "POOL_TOO_SHALLOW" : "NO_POOL" }], pools: [] };
  }
  const judged = ranked.map((pool) => {
    const own = trades.filter((trade) => trade.pool === pool.pool);
    const isRead = own.length > 0 && own.every(({ runs }) => runs.status === "value");
    const runs = own.flatMap(({ sender, runs: outcome }) =>
      outcome.status === "value" ? outcome.value.map((run) => describeRun(sender, run)) : [],
    );
    return { notes: isRead ? judgeRuns(runs) : [unavailable(pool.pool)], findings: describePool(pool, runs) };
  });
  const [main, ...others] = judged;
  return {
    notes: [
      ...unread,
      ...(main?.notes ?? []),
      ...others.flatMap(({ notes, findings }) => compare(notes, findings)),
    ],
    pools: judged.map(({ findings }) => findings),
  };
}

const unavailable = (pool: Hex): Note<TradeCode> => ({
  code: "SIMULATION_UNAVAILABLE",
  limitation: `No trade was simulated in the pool ${pool}: no node answered a call with state overrides.`,
});

function describePool(
  { pool, kind, quote, fee, depthWei }: DeepPool,
  runs: readonly RunFindings[],
): PoolFindings {
  return { pool, kind, quote, fee, depthWei: depthWei.toString(), runs };
}

function describeRun(sender: string, { shareBps, legs }: LaunchRun): RunFindings {
  // Nothing was spent: the share of the pool was zero, or the quote token could not be bought.
  const isStarted = legs !== null && (legs[0]?.success || legs[0]?.sent !== "0");
  return {
    sender,
    shareBps,
    legs: isStarted ? legs.map((leg, index) => describeLeg(legNames[index] as LegName, leg)) : null,
  };
}

function describeLeg(name: LegName, leg: LaunchLeg): LegFindings {
  return {
    leg: name,
    success: leg.success,
    taxBps: leg.success && name !== "approve" ? measureTaxBps(leg) : null,
    refusal: leg.success || leg.refusal === "0x" ? null : leg.refusal,
  };
}

function judgeRuns(runs: readonly RunFindings[]): Notes {
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
  if (bought.length < finished.length) notes.push({ code: "BUY_LIMITED" });
  const sales = judgeSales(bought);
  const isSold = sales.some(({ code }) => code === "SELLS");
  // The tax of a failed sale is not known, so a low tax on the other steps shows nothing.
  const taxes = judgeTaxes(bought).filter(({ code }) => isSold || !/^TAX_(NONE|MODERATE)$/.test(code));
  notes.push(...sales, ...taxes);
  if (haveSendersDiffered(finished)) notes.push({ code: "SENDERS_DIFFER" });
  return notes;
}

function judgeSales(bought: readonly RunFindings[]): Notes {
  const fails = (...names: LegName[]) =>
    bought.some((run) => names.some((name) => !legOf(run, name).success));
  const notes: Notes = [];
  // Where nothing arrived, nothing can be transferred or sold; the tax states that already.
  const arrived = bought.filter((run) => legOf(run, "buy").taxBps !== 10_000);
  if (arrived.length > 0)
    notes.push({ code: fails("approve", "sellHalf", "sellRest") ? "SALE_FAILS" : "SELLS" });
  if (arrived.length > 0 && fails("transfer")) notes.push({ code: "TRANSFER_FAILS" });
  return notes;
}

function judgeTaxes(bought: readonly RunFindings[]): Notes {
  const legs = bought
    .flatMap((run) => run.legs ?? [])
    .filter(({ leg, success }) => success && leg !== "approve");
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

function haveSendersDiffered(runs: readonly RunFindings[]): boolean {
  return runs.some((one) =>
    runs.some(
      (other) =>
        other.shareBps === one.shareBps &&
        legNames.some((name) => differ(legOf(one, name), legOf(other, name))),
    ),
  );
}

const differ = (one: LegFindings, other: LegFindings): boolean =>
  one.success !== other.success || Math.abs((one.taxBps ?? 0) - (other.taxBps ?? 0)) > SAME_TAX_BPS;

const unreached: Omit<LegFindings, "leg"> = { success: false, taxBps: null, refusal: null };
const legOf = ({ legs }: RunFindings, name: LegName): LegFindings =>
  legs?.find(({ leg }) => leg === name) ?? { leg: name, ...unreached };

/** Another pool that fails or was not read is reported, but does not block: anyone may have opened it. */
function compare(notes: Notes, { pool }: PoolFindings): Notes {
  const bad = notes.filter(({ code }) => code !== "SELLS" && code !== "TAX_NONE" && code !== "TAX_MODERATE");
  if (bad.length === 0) return [];
  const codes = bad.map(({ code }) => code).join(", ");
  return [
    { code: "OTHER_POOL_FAILS", limitation: `In the pool ${pool}, which is not the deepest: ${codes}.` },
  ];
}
