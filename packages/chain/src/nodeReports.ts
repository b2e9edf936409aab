import { probeNode } from "./probeNode.js";
import type { RpcPool } from "./rpcPool.js";
import type { Chain, NodeReport } from "./types.js";

/** Assumed until a node was asked or has refused a search; most allow this many. */
const USUAL_LOG_SPAN = 10_000;
/** What a node did this long ago is still of interest. */
const LATELY_MS = 60 * 60_000;

/** What each node can. Callers adapt to it, and operators read it. */
export function createNodeReports(options: {
  pool: RpcPool;
  headNumber: () => number;
  requestTimeoutMs: number;
}): Pick<Chain, "probeNodes" | "listNodes" | "logSpan"> {
  const { pool, headNumber, requestTimeoutMs } = options;
  let reports: readonly NodeReport[] = [];
  let probing: Promise<readonly NodeReport[]> | undefined;

  async function probe(): Promise<readonly NodeReport[]> {
    reports = await Promise.all(
      pool.list().map(async (node) => {
        const report = await probeNode(node, headNumber, requestTimeoutMs);
        if (typeof report.logSpan === "number") node.logSpan = report.logSpan;
        node.report = report;
        return report;
      }),
    );
    return reports;
  }

  return {
    probeNodes() {
      probing ??= probe().finally(() => {
        probing = undefined;
      });
      return probing;
    },
    listNodes: () => reports.map((report) => withThrottle(report, pool)),
    logSpan: () => Math.max(...pool.list().map(({ logSpan }) => logSpan ?? USUAL_LOG_SPAN)),
  };
}

/** A limit on requests shows when it is reached, and rarely while the node is asked what it can. */
function withThrottle(report: NodeReport, pool: RpcPool): NodeReport {
  const sinceMs = pool
    .list()
    .find(({ label }) => label === report.node)
    ?.sinceThrottledMs();
  if (sinceMs === undefined || sinceMs > LATELY_MS || report.failures.includes("rate_limited")) return report;
  return { ...report, failures: [...report.failures, "rate_limited"] };
}
