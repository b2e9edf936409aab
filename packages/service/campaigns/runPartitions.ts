import { appendLeaves, creditLeaf, UNRECORDED } from "../src/log/appendLeaves.js";
import type { Database } from "../src/store/database.js";
import { type CampaignWorld, createCampaignWorld } from "./campaignWorld.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { fillTables, keysOf, MONTHS, patiently, prepareTables } from "./partitionedCalls.js";

export interface PartitionsOptions extends CampaignOptions {
  readonly calls: number;
  /** How often each statement is run. */
  readonly repeats: number;
  /** How many are sold in a row. */
  readonly sales: number;
  readonly postgresUrl?: string;
}

/** Of one statement: what its caller waits for, the pages of 8 KiB that it looks at, and what it adds to the write-ahead log. */
export interface StatementCost {
  readonly msMedian: number;
  readonly pages: number;
  readonly walBytes: number;
}

export interface Layout {
  readonly bytesPerCall: number;
  readonly statements: Readonly<Record<string, StatementCost>>;
  /** Many sales after a checkpoint, in transactions as the service writes them: what one adds to the write-ahead log. */
  readonly lasting: { readonly walBytes: number; readonly compressedWalBytes: number; readonly ms: number };
  /** Of what a month's last changes touch: the whole table, or its partition. */
  readonly vacuumSeconds: number;
  /** What a migration takes that adds an index of one column. */
  readonly newIndexSeconds: number;
}

export interface PartitionsSummary extends CampaignSummary {
  readonly calls: number;
  readonly months: number;
  /** How long a commit holds the head of the log, from its leaves until it is durable. */
  readonly headHeldMs: { readonly oneLeaf: number; readonly fullBatch: number };
  readonly few: Readonly<Record<"whole" | "monthly", Layout>>;
  readonly many: Readonly<Record<"whole" | "monthly", Layout>>;
  readonly ms: number;
}

const FEW = 1_000;
const FULL_BATCH = 64;
/** An index of so many more calls may be deeper by so many pages; a sale writes to this many indexes, and may split a page of one. */
const LEVELS = 3;
const INDEXES = 8;

/**
 * The table of calls as it is, beside one that is partitioned by month with what must be unique in a table of its own: what the hot
 * statements cost in either, with a thousand calls and with many.
 */
export async function runPartitions(options: PartitionsOptions): Promise<PartitionsSummary> {
  const startedAt = performance.now();
  const tell = (line: string) =>
    options.onProgress?.(`partitions: ${line}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const world = await createCampaignWorld({ durable: true, postgresUrl: options.postgresUrl });
  try {
    const { db } = world;
    const headHeldMs = {
      oneLeaf: await measureHead(db, 1, options.repeats),
      fullBatch: await measureHead(db, FULL_BATCH, options.repeats),
    };
    tell(`the head of the log is held for ${headHeldMs.oneLeaf} to ${headHeldMs.fullBatch} ms`);
    await prepareTables(db);
    await fillTables(world.connectionString, 0, FEW, tell);
    const few = await measureLayouts(world, FEW, { ...options, sales: FULL_BATCH });
    await fillTables(world.connectionString, FEW, options.calls, tell);
    const many = await measureLayouts(world, options.calls, options);
    return {
      campaign: "partitions",
      seed: options.seed,
      calls: options.calls,
      months: MONTHS,
      headHeldMs,
      few,
      many,
      violations: listExcesses(few.whole, many.whole),
      ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    await world.close();
  }
}

/** From the statement that locks the head until the commit is durable. */
async function measureHead(db: Database, leaves: number, repeats: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < repeats; turn++) {
    let lockedAt = 0;
    await db.transaction(async (tx) => {
      await tx.query({ text: "SELECT 1" });
      lockedAt = performance.now();
      await appendLeaves(
        tx,
        Array.from({ length: leaves }, (_, place) =>
          creditLeaf({ entryId: `${leaves}-${turn}-${place}`, entryHash: "0".repeat(300) }),
        ),
        UNRECORDED,
      );
    });
    times.push(performance.now() - lockedAt);
  }
  return medianOf(times);
}

interface HotStatement {
  readonly name: string;
  readonly text: string;
  readonly values: (place: number) => readonly unknown[];
  readonly writes?: boolean;
}

const byKey = (place: number) => [keysOf(place).invocationId];
const byAuthorization = (place: number) => [keysOf(place).authorizationId];
const byPayer = (place: number) => [keysOf(place).payer];

const columns = `invocation_id, capability_id, state, payer, amount, list_price_micro_usd, credit_micro_usd, price_micro_usd,
  actual_status, artifact_id, settled_at, created_at, packed, authorization_id, attempt`;
const newCall = `SELECT $1, capability_id, state, payer, amount, list_price_micro_usd, credit_micro_usd, price_micro_usd,
  actual_status, artifact_id, now(), now(), packed, decode($2, 'hex'), attempt`;

/** Asked first, so that the one partition is looked at in which the call is. */
const monthOf = (id: string) => `created_at = (SELECT created_at FROM call_keys WHERE invocation_id = ${id})`;

const layouts: Readonly<Record<"whole" | "monthly", readonly HotStatement[]>> = {
  whole: [
    { name: "receipt", text: "SELECT * FROM whole_calls WHERE invocation_id = $1", values: byKey },
    {
      name: "replay",
      text: `SELECT invocation_id FROM whole_calls
             WHERE coalesce(authorization_id, authorization_key(network, asset, payer, authorization_nonce)) = decode($1, 'hex')`,
      values: byAuthorization,
    },
    {
      name: "payer",
      text: "SELECT count(*) FROM whole_calls WHERE payer = $1 AND state IN ('reserved', 'settling', 'unknown')",
      values: byPayer,
    },
    {
      name: "sale",
      text: `INSERT INTO whole_calls (${columns}) ${newCall} FROM whole_calls WHERE invocation_id = $3`,
      values: (place) => newKeys(place, "whole"),
      writes: true,
    },
  ],
  monthly: [
    {
      name: "receipt",
      text: `SELECT * FROM monthly_calls WHERE invocation_id = $1 AND ${monthOf("$1")}`,
      values: byKey,
    },
    {
      name: "replay",
      text: `SELECT m.invocation_id FROM call_keys k JOIN monthly_calls m USING (invocation_id, created_at)
             WHERE k.authorization_id = decode($1, 'hex')`,
      values: byAuthorization,
    },
    {
      name: "payer",
      text: "SELECT count(*) FROM monthly_calls WHERE payer = $1 AND state IN ('reserved', 'settling', 'unknown')",
      values: byPayer,
    },
    {
      name: "sale",
      text: `WITH keys AS (INSERT INTO call_keys (invocation_id, authorization_id, created_at)
                           VALUES ($1, decode($2, 'hex'), now()))
             INSERT INTO monthly_calls (${columns}) ${newCall} FROM monthly_calls WHERE invocation_id = $3 AND ${monthOf("$3")}`,
      values: (place) => newKeys(place, "monthly"),
      writes: true,
    },
  ],
};

let made = 0;
function newKeys(place: number, layout: string): readonly unknown[] {
  made += 1;
  const { invocationId, authorizationId } = keysOf(-made);
  return [`${invocationId}_${layout}`, authorizationId, keysOf(place).invocationId];
}

async function measureLayouts(world: CampaignWorld, calls: number, options: PartitionsOptions) {
  const whole = await measureLayout(world, "whole", calls, options);
  const monthly = await measureLayout(world, "monthly", calls, options);
  return { whole, monthly };
}

async function measureLayout(
  { db, connectionString }: CampaignWorld,
  layout: "whole" | "monthly",
  calls: number,
  { repeats, sales }: PartitionsOptions,
): Promise<Layout> {
  const statements: Record<string, StatementCost> = {};
  for (const statement of layouts[layout])
    statements[statement.name] = await measureStatement(db, `${layout}_${calls}`, statement, calls, repeats);
  const tables = layout === "whole" ? ["whole_calls"] : ["monthly_calls", "call_keys"];
  const [size] = await db.query<{ bytes: bigint }>({
    text: `SELECT sum(pg_total_relation_size(t.name) + coalesce((SELECT sum(pg_total_relation_size(relid))
             FROM pg_partition_tree(t.name) WHERE isleaf AND relid <> t.name), 0)) AS bytes
           FROM unnest($1::regclass[]) AS t (name)`,
    values: [tables],
  });
  const plain = await measureSales(connectionString, layout, calls, { sales, compression: "off" });
  const compressed = await measureSales(connectionString, layout, calls, { sales, compression: "on" });
  const lasting = { walBytes: plain.walBytes, compressedWalBytes: compressed.walBytes, ms: plain.ms };
  // The last month's calls are those that still change: packing touches each once.
  const recent = layout === "whole" ? "whole_calls" : `monthly_calls_${MONTHS - 1}`;
  const vacuumSeconds = await patiently(connectionString, async (client) => {
    await client.query(
      `UPDATE ${recent} SET attempt = attempt + 1
       WHERE invocation_id IN (SELECT invocation_id FROM monthly_calls_${MONTHS - 1} LIMIT ${Math.ceil(calls / 200)})`,
    );
    const startedAt = performance.now();
    await client.query(`VACUUM ${recent}`);
    return rounded((performance.now() - startedAt) / 1000);
  });
  const newIndexSeconds = await patiently(connectionString, async (client) => {
    const startedAt = performance.now();
    await client.query(`CREATE INDEX added_later ON ${tables[0]} (settled_at)`);
    const seconds = rounded((performance.now() - startedAt) / 1000);
    await client.query("DROP INDEX added_later");
    return seconds;
  });
  return {
    bytesPerCall: Math.round(Number(size?.bytes ?? 0) / calls),
    statements,
    lasting,
    vacuumSeconds,
    newIndexSeconds,
  };
}

/** Sales one after another, 64 in a transaction, from a checkpoint on: the first change of a page logs it as a whole. */
async function measureSales(
  connectionString: string,
  layout: "whole" | "monthly",
  calls: number,
  { sales, compression }: { sales: number; compression: "on" | "off" },
): Promise<{ walBytes: number; ms: number }> {
  const sale = layouts[layout].find(({ writes }) => writes) as HotStatement;
  return patiently(connectionString, async (client) => {
    await client.query(`SET wal_compression = ${compression}`);
    await client.query("CHECKPOINT");
    const readWal = async () => {
      const { rows } = await client.query("SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes");
      return Number(rows[0]?.bytes);
    };
    const [before, startedAt] = [await readWal(), performance.now()];
    for (let at = 0; at < sales; at += FULL_BATCH) {
      await client.query("BEGIN");
      for (let turn = at; turn < Math.min(sales, at + FULL_BATCH); turn++)
        await client.query({
          name: "sale",
          text: sale.text,
          values: [...sale.values((turn * 104_729) % calls)],
        });
      await client.query("COMMIT");
    }
    return {
      walBytes: Math.round(((await readWal()) - before) / sales),
      ms: rounded((performance.now() - startedAt) / sales),
    };
  });
}

interface Explained {
  readonly "QUERY PLAN": readonly [
    { readonly Plan: Record<"Shared Hit Blocks" | "Shared Read Blocks" | "WAL Bytes", number | undefined> },
  ];
}

async function measureStatement(
  db: Database,
  prefix: string,
  { name, text, values, writes }: HotStatement,
  calls: number,
  repeats: number,
): Promise<StatementCost> {
  // Somewhere in the history; no two in one neighbourhood.
  const placeOf = (turn: number) => (turn * 104_729) % calls;
  const times: number[] = [];
  const warmUp = 10;
  for (let turn = 0; turn < repeats + warmUp; turn++) {
    const startedAt = performance.now();
    await db.query({ name: `${prefix}_${name}`, text, values: [...values(placeOf(turn))] });
    if (turn >= warmUp) times.push(performance.now() - startedAt);
  }
  const costs = [];
  for (let turn = 0; turn < 20; turn++) {
    const [row] = await db.query<Explained>({
      text: `EXPLAIN (ANALYZE, BUFFERS, ${writes ? "WAL, " : ""}FORMAT JSON) ${text}`,
      values: [...values(placeOf(turn * 31))],
    });
    costs.push(row?.["QUERY PLAN"][0].Plan);
  }
  return {
    msMedian: medianOf(times),
    pages: medianOf(
      costs.map((plan) => (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0)),
    ),
    walBytes: medianOf(costs.map((plan) => plan?.["WAL Bytes"] ?? 0)),
  };
}

const rounded = (value: number) => Math.round(value * 100) / 100;
const medianOf = (values: readonly number[]) =>
  rounded([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);

function listExcesses(few: Layout, many: Layout): string[] {
  return Object.entries(many.statements).flatMap(([name, { pages }]) => {
    const before = few.statements[name]?.pages ?? 0;
    const indexes = layouts.whole.find((statement) => statement.name === name)?.writes ? INDEXES : 1;
    return pages > before + indexes * LEVELS
      ? [`${name} looks at ${pages} pages with the whole history and at ${before} with ${FEW} calls`]
      : [];
  });
}
