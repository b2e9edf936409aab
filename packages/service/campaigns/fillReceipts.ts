import { rootOfTile, TILE_LEAVES, TILE_LEVEL, unpackLeaves } from "../src/log/logTiles.js";
import { recounts } from "../src/market/testing/recountStats.js";
import type { Database, Statement } from "../src/store/database.js";

/** Calls of one statement: 100 tiles of the log. */
const CHUNK = 100 * TILE_LEAVES;
/** One call in so many is the first sale of its answer, which is kept whole; the others are packed. */
const CALLS_PER_ANSWER = 50;
const CALLS_PER_CHANNEL = 100;
const CALLS_PER_WALLET = 20;

const hashOf = (text: string) => `encode(sha256((${text})::text::bytea), 'hex')`;
const walletOf = (number: string) => `'0x' || substr(${hashOf(number)}, 1, 40)`;

/**
 * Copies the packed calls, the packed leaves and an answer that a service has made, until the log has about so many leaves. Copies
 * differ in what is looked up by: ids, payers, authorizations, times and places in the log. The tree over them is whole, so
 * that its proofs verify. Needs a log that consists of tiles only.
 */
export async function fillReceipts(
  db: Database,
  receipts: number,
  tell: (line: string) => void,
): Promise<void> {
  const [log] = await db.query<{ size: bigint; tiles: bigint; leaves: Buffer }>({
    text: `SELECT size, tiles, (SELECT leaves FROM log_tiles WHERE tile = 0) AS leaves FROM log_head, log_packing`,
  });
  if (!log || log.size !== log.tiles * BigInt(TILE_LEAVES))
    throw new Error("the log is not made of tiles only");
  const first = Number(log.size);
  const last = Math.ceil(receipts / TILE_LEAVES) * TILE_LEAVES;
  await prepareTemplates(db);
  const indexes = await dropIndexes(db);
  for (let from = first; from < last; from += CHUNK) {
    const to = Math.min(last, from + CHUNK);
    await insertCalls(db, from, to);
    if ((from - first) % (10 * CHUNK) === 0) tell(`${from} calls`);
  }
  for (const text of indexes) await patiently(db, { text });
  tell(`${last} calls`);
  await inChunks(first, last, CALLS_PER_ANSWER, (from, to) => insertAnswers(db, from, to));
  await inChunks(first, last, CALLS_PER_CHANNEL, (from, to) => insertChannels(db, from, to));
  await inChunks(first, last, CALLS_PER_WALLET, (from, to) => insertCredits(db, from, to));
  tell("answers, channels and credits");
  await extendLog(db, first / TILE_LEAVES, last / TILE_LEAVES, log.leaves);
  tell("log");
  await sumUp(db);
  tell("rollups");
}

async function inChunks(
  first: number,
  last: number,
  every: number,
  insert: (from: number, to: number) => Promise<void>,
): Promise<void> {
  const [from, to] = [Math.ceil(first / every), Math.ceil(last / every)];
  for (let at = from; at < to; at += 10_000) await insert(at, Math.min(to, at + 10_000));
}

/** What is copied, in tables of their own, so that no copy is copied again. */
async function prepareTemplates(db: Database): Promise<void> {
  const [there] = await db.query<{ is_there: boolean }>({
    text: "SELECT to_regclass('template_calls') IS NOT NULL AS is_there",
  });
  if (there?.is_there) return;
  await db.query({
    text: `CREATE TABLE template_calls AS
           SELECT row_number() OVER () - 1 AS place, i.* FROM invocations i WHERE packed IS NOT NULL LIMIT 100`,
  });
  await db.query({ text: "CREATE INDEX ON template_calls (place)" });
  await db.query({ text: "CREATE TABLE template_artifact AS SELECT * FROM artifacts LIMIT 1" });
  await db.query({
    text: `CREATE TABLE template_first AS SELECT i.* FROM invocations i JOIN template_artifact USING (invocation_id)`,
  });
  await db.query({
    text: `CREATE TABLE template_response AS SELECT r.* FROM responses r JOIN template_artifact USING (invocation_id)`,
  });
  await db.query({ text: "CREATE TABLE template_channel AS SELECT * FROM channels LIMIT 1" });
}

/** An index that is made at once takes a fraction of the time. Returns how to make them again. */
async function dropIndexes(db: Database): Promise<readonly string[]> {
  const indexes = await db.query<{ name: string; definition: string }>({
    text: `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
           WHERE tablename = 'invocations' AND schemaname = 'public'
             AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)`,
  });
  for (const { name } of indexes) await db.query({ text: `DROP INDEX ${name}` });
  return indexes.map(({ definition }) => definition);
}

/** Takes longer than a statement of the service is given. */
const patiently = (db: Database, statement: Statement) =>
  db.transaction(async (tx) => {
    await tx.query({ text: "SET LOCAL statement_timeout = 0" });
    await tx.query(statement);
  });

/** `INSERT … SELECT` of a template's columns, some of them replaced by an expression of the number `i`. */
async function copyRows(
  db: Database,
  table: string,
  template: string,
  replaced: Readonly<Record<string, string>>,
  [from, to]: readonly [number, number],
  join = "true",
): Promise<void> {
  const columns = await db.query<{ name: string }>({
    text: `SELECT column_name AS name FROM information_schema.columns
           WHERE table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    values: [table],
  });
  const names = columns.map(({ name }) => name);
  await patiently(db, {
    text: `INSERT INTO ${table} (${names.join(", ")}) SELECT ${names.map((name) => replaced[name] ?? `t.${name}`).join(", ")}
           FROM generate_series($1::bigint, $2::bigint - 1) i JOIN ${template} t ON ${join}`,
    values: [from, to],
  });
}

/** As long as a real id: what was packed refers to it by its place. */
const CALL_ID = "'inv_' || lpad(to_hex(i), 32, '0')";
/** Spread over ninety days. */
const TIME = "now() - interval '2 hours' - i * 104729 % 7776000 * interval '1 second'";

async function insertCalls(db: Database, from: number, to: number): Promise<void> {
  const [counted] = await db.query<{ n: bigint }>({ text: "SELECT count(*) AS n FROM template_calls" });
  await copyRows(
    db,
    "invocations",
    "template_calls",
    {
      invocation_id: CALL_ID,
      payer: walletOf(`i % ${Math.max(1, Math.floor(to / CALLS_PER_WALLET))}`),
      authorization_id: "substr(sha256(i::text::bytea), 1, 16)",
      created_at: TIME,
      settled_at: `${TIME} + i % 997 * interval '17 ms'`,
      log_index: "i",
    },
    [from, to],
    `t.place = i % ${counted?.n}`,
  );
}

async function insertAnswers(db: Database, from: number, to: number): Promise<void> {
  const id = "'inv_f' || lpad(to_hex(i), 31, '0')";
  const input = `'sha256:' || ${hashOf("'input ' || i")}`;
  const artifact = `'sha256:' || ${hashOf("'artifact ' || i")}`;
  const range = [from, to] as const;
  await copyRows(
    db,
    "invocations",
    "template_first",
    {
      invocation_id: id,
      payer: walletOf("i"),
      input_hash: input,
      artifact_id: artifact,
      authorization_nonce: `'0x' || ${hashOf("'nonce ' || i")}`,
      offer_key: hashOf("'offer ' || i"),
      created_at: TIME,
      settled_at: TIME,
      log_index: `i * ${CALLS_PER_ANSWER}`,
    },
    range,
  );
  await copyRows(db, "responses", "template_response", { invocation_id: id }, range);
  await copyRows(
    db,
    "artifacts",
    "template_artifact",
    { artifact_id: artifact, input_hash: input, invocation_id: id, fresh_until: TIME, created_at: TIME },
    range,
  );
}

async function insertChannels(db: Database, from: number, to: number): Promise<void> {
  const claimed = "t.charged";
  await copyRows(
    db,
    "channels",
    "template_channel",
    {
      channel_id: `'0x' || ${hashOf("'channel ' || i")}`,
      claimed,
      balance: claimed,
      unclaimed_since: "NULL",
    },
    [from, to],
  );
}

async function insertCredits(db: Database, from: number, to: number): Promise<void> {
  const values = [from, to];
  await patiently(db, {
    text: `INSERT INTO credit_balances (account, balance_micro_usd)
           SELECT 'wallet:' || ${walletOf("i")}, 1000 FROM generate_series($1::bigint, $2::bigint - 1) i`,
    values,
  });
  await patiently(db, {
    text: `INSERT INTO credit_entries (cause, debit_account, credit_account, amount_micro_usd)
           SELECT 'review:' || i, 'issue:review', 'wallet:' || ${walletOf("i")}, 1000
           FROM generate_series($1::bigint, $2::bigint - 1) i`,
    values,
  });
}

/** Tiles are copies of the first one; every node above them is computed from the two below it (RFC 6962 section 2.1). */
async function extendLog(db: Database, from: number, to: number, leaves: Buffer): Promise<void> {
  const root = rootOfTile(unpackLeaves(leaves));
  for (let at = from; at < to; at += 1_000)
    await patiently(db, {
      text: `WITH new AS (SELECT generate_series($1::bigint, $2::bigint - 1) AS tile),
             tiles AS (INSERT INTO log_tiles (tile, leaves) SELECT tile, $3 FROM new)
             INSERT INTO log_nodes (level, position, hash) SELECT ${TILE_LEVEL}, tile, $4 FROM new`,
      values: [at, Math.min(to, at + 1_000), leaves, root],
    });
  for (
    let [level, begin, end] = [TILE_LEVEL + 1, from >> 1, to >> 1];
    begin < end;
    level++, begin >>= 1, end >>= 1
  )
    await patiently(db, {
      text: `INSERT INTO log_nodes (level, position, hash)
             SELECT $1::int, l.position / 2, sha256('\\x01'::bytea || l.hash || r.hash)
             FROM log_nodes l JOIN log_nodes r ON r.level = l.level AND r.position = l.position + 1
             WHERE l.level = $1::int - 1 AND l.position % 2 = 0 AND l.position >= $2::bigint * 2 AND l.position < $3::bigint * 2
             ON CONFLICT DO NOTHING`,
      values: [level, begin, end],
    });
  await db.query({ text: "UPDATE log_head SET size = $1", values: [to * TILE_LEAVES] });
  await db.query({ text: "UPDATE log_packing SET tiles = $1", values: [to] });
  await db.query({ text: "UPDATE log_audit SET next_leaf = $1", values: [to * TILE_LEAVES] });
}

/** What settlements keep as they happen, counted here at once; then what autovacuum does in its own time. */
async function sumUp(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query({ text: "SET LOCAL statement_timeout = 0" });
    for (const [table, { columns, text }] of Object.entries(recounts)) {
      await tx.query({ text: `TRUNCATE ${table}` });
      await tx.query({ text: `INSERT INTO ${table} (${columns}) ${text}`, values: [[]] });
    }
  });
  for (const table of [
    "invocations",
    "responses",
    "artifacts",
    "channels",
    "credit_balances",
    "credit_entries",
    "log_tiles",
    "log_nodes",
    ...Object.keys(recounts),
  ])
    await patiently(db, { text: `ANALYZE ${table}` });
}
