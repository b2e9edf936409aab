import cluster from "node:cluster";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Prometheus series. Labels are routes and states, never addresses or ids. */
export interface Metrics {
  readonly registry: Registry;
  /** The text for Prometheus: of this process, or of all workers of one supervisor. */
  write(): Promise<string>;
  readonly httpSeconds: Histogram<"route" | "status">;
  readonly invocations: Counter<"capability" | "outcome">;
  readonly rpcSeconds: Histogram<"ok">;
  readonly headBlock: Gauge;
  readonly nodeAbility: Gauge<"node" | "ability">;
  readonly undoneSettlements: Counter<"outcome">;
  readonly settlementCost: Counter<"capability">;
  readonly settlementGas: Counter<"capability">;
  readonly margin: Gauge<"capability">;
  readonly channelCalls: Counter;
  readonly channelGas: Counter<"for">;
  readonly verdicts: Counter<"capability" | "verdict">;
  readonly problems: Counter<"code">;
  readonly watched: WatchedGauges;
}

/** What is read when Prometheus asks. It is forgotten afterwards, so that no worker repeats what it read an hour ago. */
export type WatchedGauges = ReturnType<typeof createWatchedGauges>;

function createWatchedGauges(registers: Registry[]) {
  const forgets: (() => void)[] = [];
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    const made = new Gauge({ name: `assay_${name}`, help, labelNames, aggregator: "max", registers });
    forgets.push(() => {
      made.reset();
      // Without labels a gauge begins at 0, and `reset` brings it back to that; what nobody has read must be absent.
      if (labelNames.length === 0) made.remove();
    });
    return made;
  };
  const gauges = {
    headAge: gauge("head_age_seconds", "Age of the newest block seen"),
    openCalls: gauge("open_calls", "Calls that have not ended, by state", "state"),
    openCallAge: gauge(
      "open_call_age_seconds",
      "Age of the oldest call that has not ended, by state",
      "state",
    ),
    unclaimed: gauge("unclaimed_usd", "Charged by voucher and not claimed on the chain yet, in dollars"),
    unclaimedAge: gauge("unclaimed_age_seconds", "Age of the oldest charge that is not claimed yet"),
    queueAge: gauge(
      "queue_age_seconds",
      "Age of the oldest thing that waits: for its block to be final, to be mentioned on the chain, or for the chain to be read after a restoration",
      "queue",
    ),
    lostPayments: gauge(
      "lost_payments",
      "Payments of calls that a restored database lacks, neither answered nor refunded",
    ),
    soldCalls: gauge(
      "sold_calls",
      "Settled calls since the begin, by what the answer was",
      "capability",
      "status",
    ),
    revenue: gauge("revenue_usd", "Paid for settled calls since the begin, in dollars", "capability"),
    logFault: gauge(
      "log_fault",
      "1 while no head of the log is signed, because stored rows contradict each other",
    ),
    databaseBytes: gauge("database_bytes", "Size of the database with its indexes"),
    settlerBalance: gauge("settler_balance_ether", "Ether that each settling key has for gas", "settler"),
    settlementsLeft: gauge("settlements_left", "Settlements that each settling key can pay for", "settler"),
  };
  const forget = () => {
    for (const forgetOne of forgets) forgetOne();
  };
  forget();
  return { ...gauges, forget };
}

/** The sums over all workers, which the supervisor makes. */
function askSupervisor(): Promise<string> {
  return new Promise((resolve) => {
    const take = (message: unknown) => {
      const { metrics } = Object(message) as { metrics?: string };
      if (metrics === undefined) return;
      process.off("message", take);
      resolve(metrics);
    };
    process.on("message", take);
    process.send?.("metrics");
  });
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries([registry]);
    // It listens for the supervisor's questions from now on.
    new AggregatorRegistry();
  }
  const metrics: Metrics = {
    registry,
    write: () => (cluster.isWorker ? askSupervisor() : registry.metrics()),
    httpSeconds: new Histogram({
      name: "assay_http_request_seconds",
      help: "Time to answer, by route and status",
      labelNames: ["route", "status"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    invocations: new Counter({
      name: "assay_invocations_total",
      help: "Calls that carried a payment, by how they ended",
      labelNames: ["capability", "outcome"],
      registers,
    }),
    rpcSeconds: new Histogram({
      name: "assay_rpc_request_seconds",
      help: "Time of one HTTP request to a chain node",
      labelNames: ["ok"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    undoneSettlements: new Counter({
      name: "assay_undone_settlements_total",
      help: "Settled payments that a reorganisation undid: redelivered, or reorged for good",
      labelNames: ["outcome"],
      registers,
    }),
    channelCalls: new Counter({
      name: "assay_channel_calls_total",
      help: "Calls paid by voucher",
      registers,
    }),
    channelGas: new Counter({
      name: "assay_channel_gas_total",
      help: "Gas that this process used for payment channels: deposit, claim, sweep, refund",
      labelNames: ["for"],
      registers,
    }),
    verdicts: new Counter({
      name: "assay_verdicts_total",
      help: "Answers written for payers, by verdict",
      labelNames: ["capability", "verdict"],
      registers,
    }),
    problems: new Counter({
      name: "assay_problems_total",
      help: "Requests answered with a problem, by its code; log_inconsistent is a refusal to sign the log",
      labelNames: ["code"],
      registers,
    }),
    watched: createWatchedGauges(registers),
    settlementCost: new Counter({
      name: "assay_settlement_cost_usd_total",
      help: "Gas, L1 data and operator fees of settlements sent by this process, in dollars",
      labelNames: ["capability"],
      registers,
    }),
    settlementGas: new Counter({
      name: "assay_settlement_gas_total",
      help: "Gas of settlements sent by this process: each payment's part of its transaction",
      labelNames: ["capability"],
      registers,
    }),
    // A gauge, because a sale at a loss takes from it.
    margin: new Gauge({
      name: "assay_margin_usd",
      help: "Payments settled by this process minus what settling them cost, in dollars",
      labelNames: ["capability"],
      registers,
    }),
    nodeAbility: new Gauge({
      name: "assay_node_ability",
      help: "What each node can, as last asked: blocks, batch size, or 1; -1 where it cannot at all; absent where not known",
      labelNames: ["node", "ability"],
      aggregator: "first",
      registers,
    }),
    headBlock: new Gauge({
      name: "assay_head_block",
      help: "Newest block seen",
      aggregator: "max",
      registers,
    }),
  };
  // What alerts wait for: a count that appears with its first event shows no increase.
  for (const code of ["internal_error", "log_inconsistent"]) metrics.problems.inc({ code }, 0);
  for (const outcome of ["redelivered", "reorged"]) metrics.undoneSettlements.inc({ outcome }, 0);
  return metrics;
}
