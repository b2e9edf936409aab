import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Hex } from "@assay/protocol";
import type { Logger } from "pino";
import { openSessionLocks } from "../../store/sessionLocks.js";

/** The right to send from one settling key: each process counts nonces by itself, so one process at a time has it. */
export interface SettlerLease {
  isHeld(): boolean;
  /** For how long this process has not had the right; 0 where it has. */
  missingMs(): number;
  /** Resolves when this process has the right, at once where it has. */
  whenHeld(): Promise<void>;
  /** Calls back each time the right is got: somebody else may have sent meanwhile. */
  onHeld(callback: () => void): void;
}

export interface SettlerLeases {
  of(address: Hex): SettlerLease;
  /** Says to a successor that the keys will be free soon. */
  announceEnd(): Promise<void>;
  /** Gives the keys back. */
  close(): Promise<void>;
}

/** Another process uses one of our settling keys. */
export class SettlerInUseError extends Error {
  override readonly name = "SettlerInUseError";
}

interface LeaseOptions {
  /** Starts without the keys, and takes each when it is free. */
  readonly waits: boolean;
  readonly logger: Logger;
  /** Whether a key that another process has is asked for again, for as long as that process may take to end. */
  readonly isPatient?: boolean;
}

const POLL_MS = 200;
/** A process that ends may need this long until the database sees it gone. */
const GRACE_MS = 2_000;
/** A process that stops finishes its calls first. */
const ENDING_MS = 30_000;

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

interface Row {
  process: string;
  since: Date;
  is_ending: boolean;
}

/**
 * Takes the right to each key. Where another process has one: with `waits`, this one starts and settles nothing with that key until
 * it is free; without, this throws `SettlerInUseError`. A right ends with its process, because it belongs to a connection of it; one
 * that was lost with the connection is taken again as soon as it can be.
 */
export async function openSettlerLeases(
  connectionString: string,
  addresses: readonly Hex[],
  { waits, logger, isPatient = true }: LeaseOptions,
): Promise<SettlerLeases> {
  const me = `${process.pid} on ${hostname()} (${randomBytes(4).toString("hex")})`;
  const names = addresses.map((address) => address.toLowerCase());
  const held = new Set<string>();
  const callbacks = new Map<string, (() => void)[]>(names.map((name) => [name, []]));
  let losses = 0;
  let missingSinceMs = Date.now();
  const locks = openSessionLocks(connectionString, {
    onLost: () => {
      losses += 1;
      missingSinceMs = Date.now();
      if (held.size > 0) logger.warn("the connection that holds the settling keys was lost");
      held.clear();
    },
  });
  let closed = false;

  /** One attempt at each key that is not held. Throws while the database is away. */
  async function takeFree(): Promise<void> {
    for (const name of names) {
      const before = losses;
      if (held.has(name) || !(await locks.tryLock(`settler ${name}`))) continue;
      await locks.query(
        `INSERT INTO settler_leases (address, process) VALUES ($1, $2)
         ON CONFLICT (address) DO UPDATE SET process = excluded.process, since = now(), is_ending = false`,
        [name, me],
      );
      if (losses !== before) return;
      held.add(name);
      for (const call of callbacks.get(name) ?? []) call();
    }
  }

  async function findRow(name: string): Promise<Row | undefined> {
    const [row] = await locks.query<Row>(
      "SELECT process, since, is_ending FROM settler_leases WHERE address = $1",
      [name],
    );
    return row;
  }

  const follow = async () => {
    while (!closed) {
      await sleep(POLL_MS);
      if (!closed && held.size < names.length) await takeFree().catch(() => undefined);
    }
  };

  try {
    await takeFree();
    if (!waits) await takeAllInTime(names, held, takeFree, findRow, isPatient);
    for (const name of names)
      if (!held.has(name))
        logger.warn(`${describeHolder(name, await findRow(name))}: this process waits for it`);
  } catch (error) {
    await locks.close();
    throw error;
  }
  void follow();

  return {
    of(address) {
      const name = address.toLowerCase();
      return {
        isHeld: () => held.has(name),
        missingMs: () => (held.has(name) ? 0 : Date.now() - missingSinceMs),
        whenHeld: () =>
          held.has(name)
            ? Promise.resolve()
            : new Promise((resolve) => callbacks.get(name)?.push(resolve as () => void)),
        onHeld: (callback) => void callbacks.get(name)?.push(callback),
      };
    },
    async announceEnd() {
      await locks.query("UPDATE settler_leases SET is_ending = true WHERE process = $1", [me]);
    },
    async close() {
      closed = true;
      await locks.close();
    },
  };
}

async function takeAllInTime(
  names: readonly string[],
  held: ReadonlySet<string>,
  takeFree: () => Promise<void>,
  findRow: (name: string) => Promise<Row | undefined>,
  isPatient: boolean,
): Promise<void> {
  const startedAtMs = Date.now();
  for (;;) {
    const taken = names.find((name) => !held.has(name));
    if (taken === undefined) return;
    const row = await findRow(taken);
    if (!isPatient || Date.now() - startedAtMs > (row?.is_ending ? ENDING_MS : GRACE_MS))
      throw new SettlerInUseError(
        `${describeHolder(taken, row)}, and two processes must not count its nonces: stop that process first, give this one a key of its own, set SETTLER_LEASE=wait to let it take over when that one stops, or set SETTLER_LEASE=any where several processes share a list of keys.`,
      );
    await sleep(POLL_MS);
    await takeFree();
  }
}

/** Of several keys, one that no other process uses: its place in the list, and the right to it. */
export async function openAnySettlerLease(
  connectionString: string,
  addresses: readonly Hex[],
  logger: Logger,
): Promise<{ readonly index: number; readonly leases: SettlerLeases }> {
  for (const startedAtMs = Date.now(); ; await sleep(POLL_MS)) {
    for (const [index, address] of addresses.entries()) {
      const leases = await openSettlerLeases(connectionString, [address], {
        waits: false,
        logger,
        isPatient: false,
      }).catch((error: unknown) => {
        if (error instanceof SettlerInUseError) return undefined;
        throw error;
      });
      if (leases) return { index, leases };
    }
    if (Date.now() - startedAtMs > GRACE_MS)
      throw new SettlerInUseError(
        `Each of the ${addresses.length} settling keys is used by another process, and each process needs one: add a key, or stop a process.`,
      );
  }
}

const describeHolder = (address: string, row: Row | undefined): string =>
  row
    ? `The settling key of ${address} is used by process ${row.process.replace(/ \(.*$/, "")} since ${row.since.toISOString()}`
    : `The settling key of ${address} is used by another process`;
