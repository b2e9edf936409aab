import type { BaseContext } from "../context.js";
import { deleteOldReceivers } from "../evidence/receiverSignals.js";
import { auditLog } from "../log/auditLog.js";
import type { LogContext } from "../log/signedHeads.js";
import { deletePrivateAnswers } from "../payments/finish.js";
import { reconcileAbandoned } from "../payments/reconcile.js";
import { deleteOldQuotes } from "../quotes/quotes.js";
import { deleteOldRateLimits } from "../store/rateLimits.js";

interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (context: BaseContext & LogContext) => Promise<unknown>;
}

const jobs: readonly Job[] = [
  // Every process may run these: rows are claimed in the database, not in memory.
  { name: "reconcile", everyMs: 1000, run: (context) => reconcileAbandoned(context, 20) },
  { name: "audit the log", everyMs: 60_000, run: (context) => auditLog(context) },
  {
    name: "delete private answers",
    everyMs: 60_000,
    run: (context) => deletePrivateAnswers(context.database),
  },
  { name: "delete old quotes", everyMs: 600_000, run: (context) => deleteOldQuotes(context.database) },
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
];

/** Runs the jobs until stopped; a failing run is logged and tried again at its next turn. */
export function startJobs(context: BaseContext & LogContext): () => Promise<void> {
  let stopped = false;
  const loops = jobs.map(async (job) => {
    while (!stopped) {
      await job.run(context).catch((err) => context.logger.warn({ err, job: job.name }, "job failed"));
      await pause(job.everyMs);
    }
  });
  const waiting = new Set<() => void>();
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
