import type { Queryable, Statement } from "../src/store/database.js";

/** What the server did for the statements of one answer. */
export interface QueryCost {
  readonly statements: number;
  /** Rows that scans looked at, whether or not a filter then dropped them. */
  readonly rowsRead: number;
  /** Pages of 8 KiB. */
  readonly pagesRead: number;
  /** Within the server, planning included. */
  readonly serverMs: number;
  /** Each scan once, such as `Index Scan demand_ranked on demand`. */
  readonly scans: readonly string[];
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly Plan: PlanNode;
  readonly "Planning Time": number;
  readonly "Execution Time": number;
}

/** Lets `ask` do its work, then has the server run each of its statements again and explain it. */
export async function explainQueries(
  db: Queryable,
  ask: (recorded: Queryable) => Promise<unknown>,
): Promise<QueryCost> {
  const statements: Statement[] = [];
  await ask({
    query(statement) {
      statements.push(statement);
      return db.query(statement);
    },
  });
  const plans = [];
  for (const { text, values } of statements) {
    const [row] = await db.query<{ "QUERY PLAN": [Explained] }>({
      text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      ...(values && { values }),
    });
    if (row) plans.push(row["QUERY PLAN"][0]);
  }
  const nodes = plans.flatMap(({ Plan }) => listNodes(Plan));
  const scans = nodes.filter((node) => node["Relation Name"] !== undefined);
  return {
    statements: statements.length,
    rowsRead: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
    pagesRead: plans.reduce((sum, { Plan }) => sum + pagesOf(Plan), 0),
    serverMs: rounded(plans.reduce((sum, plan) => sum + plan["Planning Time"] + plan["Execution Time"], 0)),
    scans: [...new Set(scans.map(nameScan))].sort(),
  };
}

const rounded = (value: number) => Math.round(value * 100) / 100;
const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)];

/** Counts are means over the loops. */
const rowsOf = (node: PlanNode) =>
  node["Actual Loops"] *
  (node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0));

/** A node's pages include those of the nodes below it. */
const pagesOf = (node: PlanNode) => (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);

function nameScan(node: PlanNode): string {
  // A bitmap scan names its index one node below.
  const index = [node, ...(node.Plans ?? [])].find((part) => part["Index Name"])?.["Index Name"];
  return `${node["Node Type"]}${index ? ` ${index}` : ""} on ${node["Relation Name"]}`;
}
