import { createHash } from "node:crypto";
import pg from "pg";
import type { Database } from "../src/store/database.js";

/** Two years of calls. */
export const MONTHS = 24;
const CHUNK = 100_000;
const CALLS_PER_WALLET = 20;

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** What a call is looked up by; the same as in the rows of `fillTables`. */
export const keysOf = (place: number) => ({
  invocationId: `inv_${hashOf(String(place)).slice(0, 32)}`,
  authorizationId: hashOf(String(place)).slice(32),
  payer: `0x${hashOf(`payer ${Math.floor(place / CALLS_PER_WALLET)}`).slice(0, 40)}`,
});

/** `whole_calls` is the table as it is; `monthly_calls` could be it, with `call_keys` for what no two calls may share. */
export async function prepareTables(db: Database): Promise<void> {
  const texts = [
    "CREATE TABLE whole_calls (LIKE invocations INCLUDING ALL)",
    `CREATE TABLE monthly_calls (LIKE invocations INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
       PARTITION BY RANGE (created_at)`,
    ...Array.from(
      { length: MONTHS },
      (_, month) => `CREATE TABLE monthly_calls_${month} PARTITION OF monthly_calls FOR VALUES
        FROM (${month === 0 ? "MINVALUE" : `'${startOf(month)}'`})
        TO (${month === MONTHS - 1 ? "MAXVALUE" : `'${startOf(month + 1)}'`})`,
    ),
    // A unique index of a partitioned table has to contain the month, and would let the same payment buy once a month.
    `CREATE TABLE call_keys (invocation_id text PRIMARY KEY, authorization_id bytea NOT NULL UNIQUE, created_at timestamptz NOT NULL)`,
    "CREATE INDEX ON monthly_calls (invocation_id)",
  ];
  for (const text of texts) await db.query({ text });
  const indexes = await db.query<{ definition: string }>({
    text: `SELECT replace(indexdef, 'public.invocations', 'public.monthly_calls') AS definition FROM pg_indexes
           WHERE tablename = 'invocations' AND schemaname = 'public' AND indexdef NOT LIKE 'CREATE UNIQUE%'`,
  });
  for (const { definition } of indexes)
    await db.query({ text: definition.replace(/^CREATE INDEX (\w+)/, "CREATE INDEX monthly_$1") });
}

const startOf = (month: number) => new Date(Date.UTC(2026, month, 1)).toISOString();

/** Calls in the order in which they happened, packed as they are an hour after they are final. */
export async function fillTables(
  connectionString: string,
  from: number,
  to: number,
  tell: (line: string) => void,
): Promise<void> {
  await patiently(connectionString, async (client) => {
    await client.query("SET maintenance_work_mem = '512MB'");
    await client.query("SET work_mem = '128MB'");
    const rebuilt = to - from > CHUNK ? await dropIndexes(client) : [];
    for (let at = from; at < to; at += CHUNK) {
      await client.query(fillChunk, [at, Math.min(to, at + CHUNK), to]);
      if ((at - from) % (10 * CHUNK) === 0) tell(`${at} calls`);
    }
    for (const text of rebuilt) await client.query(text);
    if (rebuilt.length > 0) tell("indexes");
    for (const name of ["whole_calls", "monthly_calls", "call_keys"])
      await client.query(`VACUUM ANALYZE ${name}`);
  });
}

/** An index that is made at once takes a fraction of the time. Returns how to make them again. */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const tables = ["whole_calls", "monthly_calls", "call_keys"];
  const { rows: constraints } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid::regclass::text = ANY ($1) AND contype IN ('p', 'u')`,
    [tables],
  );
  for (const { table, name } of constraints)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    "SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS definition FROM pg_indexes WHERE tablename = ANY ($1)",
    [tables],
  );
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return [
    ...constraints.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
    ),
    ...indexes.map(({ definition }) => definition),
  ];
}

/** A connection whose statements may take longer than the service's. */
export async function patiently<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const hex = (text: string) => `encode(sha256((${text})::text::bytea), 'hex')`;
const columns = `invocation_id, capability_id, state, payer, amount, list_price_micro_usd, credit_micro_usd, price_micro_usd,
  actual_status, artifact_id, settled_at, created_at, packed, authorization_id, attempt`;

/** Spread over the months in the order in which they happened; the same rows in both layouts. */
const fillChunk = `
  WITH hashed AS (
    SELECT place, ${hex("place")} AS hash, '${startOf(0)}'::timestamptz + place::float8 / $3::bigint
      * ('${startOf(MONTHS)}'::timestamptz - '${startOf(0)}') AS moment
    FROM generate_series($1::bigint, $2::bigint - 1) AS place),
  made AS (
    INSERT INTO whole_calls (${columns})
    SELECT 'inv_' || substr(hash, 1, 32), 'contract.guard', 'settled',
      '0x' || substr(${hex(`'payer ' || place / ${CALLS_PER_WALLET}`)}, 1, 40), 100000, 100000, 0, 100000, 'hit',
      'sha256:' || ${hex("place / 50")}, moment, moment, repeat(hash, 5)::bytea, decode(substr(hash, 33), 'hex'), 1
    FROM hashed RETURNING ${columns}),
  by_month AS (INSERT INTO monthly_calls (${columns}) SELECT ${columns} FROM made)
  INSERT INTO call_keys (invocation_id, authorization_id, created_at) SELECT invocation_id, authorization_id, created_at FROM made`;
