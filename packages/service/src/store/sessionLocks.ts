import pg from "pg";

/** Locks that belong to one connection, so that the server gives them back when the process is gone. */
export interface SessionLocks {
  /** Whether this connection has the lock of that name now. */
  tryLock(name: string): Promise<boolean>;
  query<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The first half of the key of each lock: the second is a hash of its name. */
const LOCK_SPACE = 8453;
/** Seconds after which the server asks a silent connection for a sign of life, how often, and how many times. */
const KEEPALIVE =
  "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3";

/** Connects when it is first used, and again after the connection was lost, with which all locks are. */
export function openSessionLocks(
  connectionString: string,
  { onLost }: { readonly onLost: () => void },
): SessionLocks {
  let connecting: Promise<pg.Client> | undefined;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString,
      application_name: "assay locks",
      connectionTimeoutMillis: 3000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      query_timeout: 10_000,
    });
    client.on("error", () => undefined);
    client.once("end", () => {
      connecting = undefined;
      if (!closed) onLost();
    });
    await client.connect();
    await client.query(KEEPALIVE);
    return client;
  }

  async function query<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    if (closed) throw new Error("the locks were given back");
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    const client = await connecting;
    return (await client.query(text, [...values])).rows as Row[];
  }

  return {
    query,
    async tryLock(name) {
      const [row] = await query<{ is_ours: boolean }>(
        "SELECT pg_try_advisory_lock($1, hashtext($2)) AS is_ours",
        [LOCK_SPACE, name],
      );
      return row?.is_ours === true;
    },
    async close() {
      closed = true;
      const client = await connecting?.catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}
