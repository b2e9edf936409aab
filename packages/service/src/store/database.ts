import type { Socket } from "node:net";
import pg from "pg";
import { type BatchCalls, createBatchCalls } from "./batchCalls.js";

export interface Statement {
  /** Naming a statement lets the server keep its plan for the connection. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface Queryable {
  query<Row>(statement: Statement): Promise<Row[]>;
}

/** One connection between BEGIN and COMMIT; `inOrder` sends several statements on it at once. */
export interface Transaction extends Queryable {
  readonly isTransaction: true;
}

export interface Database extends Queryable {
  /** Runs `work` in one transaction on one connection; any throw rolls all of it back. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Does the same work for several callers at once; see `createBatchCalls`. */
  readonly batch: BatchCalls;
  /** Calls back for each notification on `channel`, reconnecting for as long as the database lives. */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const INT8 = 20;
const RECONNECT_DELAY_MS = 500;
/**
 * A new connection is dear: PostgreSQL starts a process, checks the password and plans every statement again. Gateways commonly
 * forget a silent connection after some minutes, which is why it is also kept alive.
 */
const IDLE_TIMEOUT_MS = 300_000;

export interface DatabaseOptions {
  readonly connectionString: string;
  readonly maxConnections?: number;
  readonly onError?: (error: Error) => void;
}

/** 64-bit integers are money and heights: exact or nothing. */
export const exactIntegers = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser,
};

export function createDatabase(options: DatabaseOptions): Database {
  const connection = {
    connectionString: options.connectionString,
    types: exactIntegers,
    application_name: "assay",
  };
  const pool = new pg.Pool({
    ...connection,
    // Statements issued together travel together, instead of one round trip each.
    pipeline: true,
    max: options.maxConnections ?? 16,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    // Each connection plans a statement once. Otherwise it plans the first five uses anew, which on a service that was
    // started lately took a seventh of PostgreSQL's time. Values decide nothing: what an index is limited to stands in the text.
    options: "-c plan_cache_mode=force_generic_plan",
  });
  let closed = false;
  // While closing, cut connections are expected.
  const onError = (error: Error) => {
    if (!closed) options.onError?.(error);
  };
  // For as long as a connection lives: one that is cut while in use reports only to its own listeners, and an
  // error event without a listener ends the process.
  pool.on("connect", (client) => client.on("error", onError));
  // The pool reports the errors of idle connections a second time.
  pool.on("error", () => {});

  const listeners = new Set<pg.Client>();

  async function listenOnce(channel: string, onMessage: (payload: string) => void): Promise<void> {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 3000, keepAlive: true });
    client.on("notification", (message) => onMessage(message.payload ?? ""));
    client.on("error", onError);
    try {
      await client.connect();
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (closed) return client.end();
    listeners.add(client);
    // Only from here on: a connection that never came up also ends, and its caller already tries again.
    client.once("end", () => {
      listeners.delete(client);
      if (!closed) setTimeout(() => relisten(channel, onMessage), RECONNECT_DELAY_MS).unref();
    });
  }

  function relisten(channel: string, onMessage: (payload: string) => void): void {
    if (closed) return;
    listenOnce(channel, onMessage).catch((error: Error) => {
      onError(error);
      setTimeout(() => relisten(channel, onMessage), RECONNECT_DELAY_MS).unref();
    });
  }

  return {
    query: (statement) => queryOn(pool, statement),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        holdWrites(client);
        // Not awaited: it travels with the first statement, which fails if it does.
        const begun = client.query("BEGIN");
        const query: Transaction["query"] = (statement) => {
          holdWrites(client);
          return queryOn(client, statement);
        };
        const [result] = await Promise.all([work({ isTransaction: true, query }), begun]);
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    // After an outage nobody knows whether the work was done, so it is not done again behind a caller's back.
    batch: createBatchCalls((error) => !isDatabaseOutage(error)),
    listen: listenOnce,
    async ping() {
      await pool.query("SELECT 1");
    },
    async close() {
      closed = true;
      await Promise.all([...listeners].map((client) => client.end().catch(onError)));
      await pool.end();
    },
  };
}

/**
 * Statements that are issued in one turn of the event loop leave in one write: the system call takes longer than encoding a
 * statement. The driver writes each by itself, to a socket that its types do not show.
 */
function holdWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function queryOn<Row>(target: pg.Pool | pg.PoolClient, statement: Statement): Promise<Row[]> {
  const result = await target.query({
    ...statement,
    values: statement.values as unknown[] | undefined,
  } as pg.QueryConfig);
  return result.rows as Row[];
}

/** SQLSTATE classes that say the server, not the statement, is the trouble. */
const OUTAGE_STATES = /^(08|53|57P|58)/;
const OUTAGE_ERRNO = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);

export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseOutage);
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && (OUTAGE_STATES.test(code) || OUTAGE_ERRNO.has(code) || code === "57014"))
    return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/i.test(
    error.message,
  );
}

const OUTAGE_RETRY_MS = 250;

/** Repeats work that is safe to repeat while the database is away, for at most `patienceMs`. */
export async function throughOutage<T>(work: () => Promise<T>, patienceMs = 15_000): Promise<T> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() > endMs) throw error;
      await new Promise((resume) => setTimeout(resume, OUTAGE_RETRY_MS));
    }
  }
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== "23505") return false;
  return constraint === undefined || (error as { constraint?: unknown }).constraint === constraint;
}
