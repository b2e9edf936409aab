import pg from "pg";
import { exactIntegers } from "../../src/store/database.js";
import { Tally } from "../commandLine.js";
import type { Session } from "./rowStore.js";
import type { Ended } from "./simulatedDatabase.js";
import type { SimulatedWorld } from "./simulatedWorld.js";
import type { QuoteRow, Tables } from "./tables.js";

/** In front of PostgreSQL's own `now()`: the moment at which the simulated transaction began. */
const CLOCK = `
  CREATE SCHEMA simulated;
  CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE AS
    $$ SELECT to_timestamp(current_setting('simulated.now_ms')::bigint / 1000.0) $$;
  ALTER TABLE invocations ALTER created_at SET DEFAULT simulated.now();
  ALTER TABLE unfinal_settlements ALTER next_check SET DEFAULT simulated.now();
  ALTER TABLE channels ALTER checked_at SET DEFAULT simulated.now();
  ALTER TABLE channel_claims ALTER claimed_at SET DEFAULT simulated.now();`;

export interface Difference {
  readonly step: string;
  readonly simulated: unknown;
  readonly postgres: unknown;
}

/** Random, or counted by both in their own way. */
const OWN = new Set(["salt", "entry_id"]);

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (Buffer.isBuffer(value)) return value.toString("hex");
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, inner]) => [key, plain(inner)]),
    );
  return value ?? null;
}

/** What both say, of the columns that both have; in one order where the statement gives none. */
function compare(simulated: readonly unknown[], postgres: readonly unknown[]): [string[], string[]] {
  const [ours, theirs] = [simulated, postgres] as [Record<string, unknown>[], Record<string, unknown>[]];
  const shared = Object.keys(theirs[0] ?? ours[0] ?? {}).filter(
    (key) => !OWN.has(key) && ours.every((row) => key in row),
  );
  const read = (rows: readonly Record<string, unknown>[]) =>
    rows.map((row) => JSON.stringify(shared.map((key) => [key, plain(row[key])]))).sort();
  return [read(ours), read(theirs)];
}

const codeOf = (error: unknown) => (error as { code?: string }).code;
/** What the network or a clock of the server's own ends is not PostgreSQL's word about a statement. */
const OUTSIDE = new Set(["57014", "40P01", "25P02", "ECONNRESET"]);

/** What jobs ask again and again; so many of each that find nothing, or only read, are compared. */
const POLLS = new Set([
  ...[
    "UPDATE invocations SET lease_until",
    "unfinal_due",
    "channel_work_lease",
    "channels_to_watch",
    "channels_to_claim",
  ],
  ...["deposits_to_confirm", "claims_to_confirm", "channels_unfinal", "channel_sweep_due"],
]);
const READS = new Set(["channels_unfinal", "channel_sweep_due"]);
const POLLS_COMPARED = 10;
/** The simulation keeps no rows for these, so in it nobody waits for them; here two sessions would, and neither would end. */
const NOT_SIMULATED = new Set(["stats_wallets_open", "stats_wallets_count"]);

/**
 * Sends the statements of a simulated history to PostgreSQL, each on a connection of its own session and in the order in which
 * they ended, so that uncommitted work of others lies there as it did in the simulation. Returns where the two answer otherwise.
 */
export async function replayOnPostgres(
  connectionString: string,
  history: readonly Ended[],
  { seeds, tables }: Pick<SimulatedWorld, "seeds" | "tables">,
): Promise<{ readonly compared: number; readonly differences: Difference[] }> {
  const open = async () => {
    const client = new pg.Client({ connectionString, types: exactIntegers });
    await client.connect();
    await client.query("SET search_path = simulated, public, pg_catalog");
    return client;
  };
  const setUp = await open();
  await setUp.query(CLOCK);
  for (const sql of seeds ?? []) await setUp.query(sql);
  const idle: pg.Client[] = [setUp];
  const clients = new Map<Session, pg.Client>();
  const differences: Difference[] = [];
  let compared = 0;
  const polls = new Tally();
  const moments = new Map<pg.Client, number>();
  for (const { session, isTransaction, step, sql, nowMs, answer } of history) {
    const isIdle = POLLS.has(step) && "rows" in answer && (answer.rows.length === 0 || READS.has(step));
    if (isIdle) polls.add(step);
    if (NOT_SIMULATED.has(step) || (isIdle && polls.of(step) > POLLS_COMPARED)) continue;
    const known = clients.get(session);
    const ends = step === "COMMIT" || step === "ROLLBACK";
    if (!known && ends) continue;
    const client = known ?? idle.pop() ?? (await open());
    if (!known && isTransaction) {
      clients.set(session, client);
      await client.query("BEGIN");
    }
    if (ends) {
      await client.query(step);
      // A setting of a transaction that is rolled back goes with it.
      moments.delete(client);
      clients.delete(session);
      idle.push(client);
      continue;
    }
    if ("error" in answer && OUTSIDE.has(codeOf(answer.error) ?? "")) {
      if (!isTransaction) idle.push(client);
      continue;
    }
    compared += 1;
    if (moments.get(client) !== nowMs) await client.query(`SET simulated.now_ms = ${nowMs}`);
    moments.set(client, nowMs);
    const result = await client
      .query(sql.text, sql.values as unknown[])
      .then(({ rows, fields }) => ({ rows, isSilent: fields.length === 0 }))
      .catch((error: Error) => ({ error }));
    if (!isTransaction) idle.push(client);
    const [ours, theirs] =
      "rows" in answer && "rows" in result
        ? compare(result.isSilent ? [] : answer.rows, result.isSilent ? [] : result.rows)
        : [
            "error" in answer ? codeOf(answer.error) : "rows",
            "error" in result ? `${codeOf(result.error)} ${result.error.message}` : "rows",
          ].map(String);
    const isSame =
      "error" in answer && "error" in result
        ? codeOf(answer.error) === codeOf(result.error)
        : String(ours) === String(theirs);
    if (!isSame) differences.push({ step, simulated: ours, postgres: theirs });
  }
  for (const client of clients.values()) await client.query("ROLLBACK");
  for (const [step, table] of listTables(tables)) {
    const { rows } = await setUp.query(`SELECT * FROM ${step}`);
    const [simulated, found] = compare(table, rows);
    if (String(simulated) !== String(found)) differences.push({ step, simulated, postgres: found });
  }
  for (const client of [...clients.values(), ...idle]) await client.end();
  return { compared, differences };
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

const rowsOf = <V>(table: { readonly rows: ReadonlyMap<string, { committed: V | undefined }> }): V[] =>
  [...table.rows.values()].flatMap(({ committed }) => (committed === undefined ? [] : [committed]));

/** What must be the same at the end. */
const listTables = ({
  invocations,
  responses,
  unfinal,
  quotes,
  balances,
  entries,
  channels,
  claims,
  head,
}: Tables) =>
  [invocations, responses, unfinal, quotes, balances, entries, channels, claims, head].map(
    (table): [string, unknown[]] => [table.name, rowsOf<unknown>(table as never)],
  );

const insert = (table: string, columns: string, values: readonly unknown[]) =>
  `INSERT INTO ${table} (${columns}) VALUES (${values.join(", ")})`;

/** A quote, as it was before anybody used it. */
export const describeQuote = (q: QuoteRow): string =>
  insert(
    "quotes",
    "quote_id, capability_id, wallet, input_hash, cache_status, requirements, expires_at, list_price_micro_usd, credit_micro_usd, price_micro_usd",
    [
      ...[q.quote_id, q.capability_id, q.wallet, q.input_hash, q.cache_status].map(quoted),
      ...[quoted(JSON.stringify(q.requirements)), quoted(q.expires_at.toISOString())],
      ...[q.list_price_micro_usd, q.credit_micro_usd, q.price_micro_usd],
    ],
  );

/** What lies in the books before the first statement. */
export function describeSeeds({ balances, entries, work }: Tables): string[] {
  return [
    ...rowsOf(balances).map((b) =>
      insert("credit_balances", "account, balance_micro_usd", [quoted(b.account), b.balance_micro_usd]),
    ),
    ...rowsOf(entries).map((e) =>
      insert("credit_entries", "cause, debit_account, credit_account, amount_micro_usd", [
        ...[e.cause, e.debit_account, e.credit_account].map(quoted),
        e.amount_micro_usd,
      ]),
    ),
    ...rowsOf(work).map(
      ({ swept_at }) =>
        `UPDATE channel_work SET leased_until = ${quoted(swept_at.toISOString())}, swept_at = ${quoted(swept_at.toISOString())}`,
    ),
  ];
}
