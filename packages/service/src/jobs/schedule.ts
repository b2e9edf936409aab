import { setTimeout as sleep } from "node:timers/promises";
import { deleteOldNonces } from "../actions/signedAction.js";
import type { Breadcrumbs } from "../claims/breadcrumbs.js";
import { markSurvivedClaims } from "../claims/markSurvivedClaims.js";
import { deleteOldReceivers } from "../evidence/receiverSignals.js";
import { auditLog } from "../log/auditLog.js";
import { packLog } from "../log/packLog.js";
import type { LogContext } from "../log/signedHeads.js";
import { trimAskedCapabilities } from "../market/askedCapabilities.js";
import type { DemandCounter } from "../market/demandCounter.js";
import { deleteOldStats } from "../market/readStats.js";
import { trimDemand } from "../market/recordMisses.js";
import { type ObligationListContext, publishDueObligations } from "../obligations/publishDueObligations.js";
import { claimVouchers } from "../payments/channels/claimVouchers.js";
import { type ConfirmContext, confirmSettlements } from "../payments/confirmSettlements.js";
import { packFinalCalls } from "../payments/packFinalCalls.js";
import { reconcileAbandoned } from "../payments/reconcile.js";
import { recoverPayments, tillOf } from "../payments/recovery/recoverPayments.js";
import { deletePrivateAnswers } from "../payments/storedResponses.js";
import { deleteOldOutcomes } from "../payments/walletRecord.js";
import type { BlockedWallets } from "../store/blockedWallets.js";
import { deleteOldRateLimits } from "../store/rateLimits.js";
import { deleteOldHealth, type HealthCheck, recordHealth } from "../store/recordHealth.js";
import { deleteUnpaid } from "./retention.js";

type JobContext = ConfirmContext &
  LogContext &
  ObligationListContext & {
    readonly demand: DemandCounter;
    readonly blockedWallets: BlockedWallets;
    readonly breadcrumbs: Breadcrumbs | undefined;
    /** Tries every part of the service. */
    checkReadiness(): Promise<HealthCheck>;
  };

interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** In its turn at the start unless given. */
  readonly firstAfterMs?: number;
  readonly run: (context: JobContext) => Promise<unknown>;
}

const jobs: readonly Job[] = [
  // Every process may run these: rows are claimed in the database, not in memory.
  {
    name: "reconcile",
    everyMs: 1000,
    // A payment that is delivered again may take long, and must not hold up those that are abandoned meanwhile.
    run: (context) => Promise.race([reconcileAbandoned(context, 20), sleep(3000, 0, { ref: false })]),
  },
  { name: "recover payments", everyMs: 60_000, run: (context) => recoverPayments(context, tillOf(context)) },
  { name: "confirm settlements", everyMs: 5000, run: (context) => confirmSettlements(context, 100) },
  {
    name: "read blocked wallets",
    everyMs: 5000,
    run: ({ blockedWallets }) => blockedWallets.refresh(),
  },
  { name: "claim vouchers", everyMs: 5000, run: claimVouchers },
  { name: "mark survived claims", everyMs: 1000, run: (context) => markSurvivedClaims(context, 100) },
  { name: "publish obligations", everyMs: 60_000, run: publishDueObligations },
  { name: "write breadcrumbs", everyMs: 2000, run: async (context) => context.breadcrumbs?.advance() },
  { name: "count demand", everyMs: 1000, run: (context) => context.demand.flush() },
  { name: "trim demand", everyMs: 60_000, run: (context) => trimDemand(context.database) },
  {
    name: "trim asked capabilities",
    everyMs: 60_000,
    run: (context) => trimAskedCapabilities(context.database),
  },
  { name: "audit the log", everyMs: 60_000, run: (context) => auditLog(context) },
  {
    name: "delete private answers",
    everyMs: 60_000,
    run: (context) => deletePrivateAnswers(context.database),
  },
  {
    name: "delete old verdicts of private answers",
    everyMs: 3_600_000,
    run: (context) => deleteOldOutcomes(context.database),
  },
  { name: "pack final calls", everyMs: 600_000, run: (context) => packFinalCalls(context.database) },
  { name: "pack the log", everyMs: 600_000, run: (context) => packLog(context.database) },
  { name: "delete what nobody paid for", everyMs: 600_000, run: deleteUnpaid },
  { name: "delete old nonces", everyMs: 600_000, run: (context) => deleteOldNonces(context.database) },
  {
    name: "delete old rate limits",
    everyMs: 600_000,
    run: (context) => deleteOldRateLimits(context.database),
  },
  {
    name: "delete old evidence receivers",
    everyMs: 3_600_000,
    run: (context) => deleteOldReceivers(context.database),
  },
  // What a plan or a configuration offers changes.
  {
    name: "probe nodes",
    everyMs: 3_600_000,
    // They were probed at the start.
    firstAfterMs: 3_600_000,
    run: ({ chain }) => chain.probeNodes(),
  },
  // Each minute is seen, although a run takes a moment.
  {
    name: "record health",
    everyMs: 20_000,
    // By then its parts have started.
    firstAfterMs: 20_000,
    run: ({ database, checkReadiness }) => recordHealth(database, checkReadiness),
  },
  { name: "delete old health", everyMs: 3_600_000, run: (context) => deleteOldHealth(context.database) },
  { name: "delete old stats", everyMs: 3_600_000, run: (context) => deleteOldStats(context.database) },
];

/**
 * How long after a job the next one begins at the start. All at once they would open a connection to the database each, which is
 * then kept for minutes, and stand in the way of the first callers.
 */
const TURN_MS = 20;

/** Runs the jobs until stopped; a failing run is logged and tried again at its next turn. */
export function startJobs(context: JobContext): () => Promise<void> {
  let stopped = false;
  const waiting = new Set<() => void>();
  const loops = jobs.map(async (job, turn) => {
    await pause(job.firstAfterMs ?? turn * TURN_MS);
    while (!stopped) {
      await job.run(context).catch((err) => context.logger.warn({ err, job: job.name }, "job failed"));
      await pause(job.everyMs);
    }
  });
  function pause(ms: number): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resume) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resume();
      };
      const timer = setTimeout(wake, ms);
      waiting.add(wake);
    });
  }
  return async () => {
    stopped = true;
    for (const wake of [...waiting]) wake();
    await Promise.all(loops);
  };
}
