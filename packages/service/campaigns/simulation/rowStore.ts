/**
 * Rows in memory under PostgreSQL's rules for READ COMMITTED: a statement sees what was committed before it began and what its
 * own transaction wrote; who writes a row holds it until the transaction ends; who wants a held row waits, and begins the statement
 * again with what is there then.
 */
export interface Row<V> {
  committed: V | undefined;
  /** Of the holder, where it has written. */
  pending: V | undefined;
  isWritten: boolean;
  holder: Session | undefined;
  /** Everything that the holder wrote into it. */
  readonly written: V[];
}

const createRow = <V>(committed: V | undefined): Row<V> => ({
  ...{ committed, pending: undefined, isWritten: false, holder: undefined, written: [] },
});

/** What a row is found by; undefined for rows that the index leaves out. */
type KeyOf<V> = (value: V) => string | undefined;

/**
 * Which rows may have a key: those that have it, and those that their transaction gave it or takes it from. Who searches looks at the
 * rows themselves.
 */
interface Index<V> {
  readonly keyOf: KeyOf<V>;
  readonly rows: Map<string, Set<string>>;
}

export interface Table<V, I extends string = string> {
  readonly name: string;
  readonly rows: Map<string, Row<V>>;
  readonly indexes: Readonly<Record<I, Index<V>>>;
}

export function createTable<V, I extends string = never>(
  name: string,
  keys: Readonly<Record<I, KeyOf<V>>> = {} as Readonly<Record<I, KeyOf<V>>>,
): Table<V, I> {
  const indexes = Object.fromEntries(
    Object.entries<KeyOf<V>>(keys).map(([index, keyOf]) => [index, { keyOf, rows: new Map() }]),
  );
  return { name, rows: new Map(), indexes: indexes as unknown as Table<V, I>["indexes"] };
}

function addToIndexes<V>({ indexes }: Table<V>, key: string, value: V): void {
  for (const name in indexes) {
    const { keyOf, rows } = indexes[name] as Index<V>;
    const found = keyOf(value);
    if (found === undefined) continue;
    const keys = rows.get(found);
    if (keys) keys.add(key);
    else rows.set(found, new Set([key]));
  }
}

/** Takes the row from where `value` put it and `kept` does not. */
function takeFromIndexes<V>({ indexes }: Table<V>, key: string, value: V, kept: V | undefined): void {
  for (const name in indexes) {
    const { keyOf, rows } = indexes[name] as Index<V>;
    const found = keyOf(value);
    if (found === undefined || (kept !== undefined && keyOf(kept) === found)) continue;
    const keys = rows.get(found);
    keys?.delete(key);
    if (keys?.size === 0) rows.delete(found);
  }
}

/** A committed row that nobody holds, as it stands before the first event. */
export function seedRow<V, I extends string>(table: Table<V, I>, key: string, committed: V): void {
  table.rows.set(key, createRow(committed));
  addToIndexes(table as Table<V>, key, committed);
}

interface Touched {
  readonly table: Table<unknown>;
  readonly key: string;
  readonly row: Row<unknown>;
}

/** One connection. `nowMs` is when its transaction began: what `now()` gives. */
export interface Session {
  readonly touched: Touched[];
  nowMs: number;
  waitsFor: Session | undefined;
  isFailed: boolean;
  isEnded: boolean;
  readonly waiters: (() => void)[];
}

export const createSession = (): Session => ({
  touched: [],
  nowMs: 0,
  waitsFor: undefined,
  isFailed: false,
  isEnded: false,
  waiters: [],
});

/** Thrown by a statement that wants a row which another transaction holds. */
export class Blocked {
  constructor(readonly holder: Session) {}
}

/** As PostgreSQL reports it. */
export function sqlError(code: string, message: string, constraint?: string): Error {
  return Object.assign(new Error(message), { code, constraint });
}

/** What one statement sees and does. */
export interface View {
  readonly nowMs: number;
  readonly now: Date;
  get<V>(table: Table<V>, key: string): V | undefined;
  list<V>(table: Table<V>): V[];
  /** Rows with this key of an index. */
  find<V, I extends string>(table: Table<V, I>, index: NoInfer<I>, key: string): V[];
  /** FOR UPDATE: waits for the one that holds the row. */
  lock<V>(table: Table<V>, key: string): V | undefined;
  /** Whether somebody else holds it: FOR UPDATE SKIP LOCKED. */
  isHeld<V>(table: Table<V>, key: string): boolean;
  put<V>(table: Table<V>, key: string, value: V): void;
  remove<V>(table: Table<V>, key: string): void;
  /** A row that a unique index would find, committed or of this transaction. Waits for the one that is writing such a row. */
  conflict<V, I extends string>(
    table: Table<V, I>,
    index: NoInfer<I>,
    key: string,
    exceptKey?: string,
  ): V | undefined;
}

const seenBy = <V>(row: Row<V>, session: Session): V | undefined =>
  row.isWritten && row.holder === session ? row.pending : row.committed;

/** Runs `statement` wholly or not at all; rows that it locked before it was blocked stay locked, as in PostgreSQL. */
export function runStatement<T>(session: Session, statement: (view: View) => T): T {
  const before: { readonly row: Row<unknown>; readonly pending: unknown; readonly isWritten: boolean }[] = [];
  const hold = <V>(table: Table<V>, key: string, row: Row<V>): void => {
    if (row.holder === session) return;
    if (row.holder) throw new Blocked(row.holder);
    row.holder = session;
    session.touched.push({ table: table as Table<unknown>, key, row: row as Row<unknown> });
  };
  const write = <V>(table: Table<V>, key: string, value: V | undefined): void => {
    let row = table.rows.get(key);
    if (!row) {
      row = createRow<V>(undefined);
      table.rows.set(key, row);
    }
    hold(table, key, row);
    before.push({ row: row as Row<unknown>, pending: row.pending, isWritten: row.isWritten });
    row.pending = value;
    row.isWritten = true;
    if (value === undefined) return;
    addToIndexes(table, key, value);
    row.written.push(value);
  };
  const view: View = {
    nowMs: session.nowMs,
    now: new Date(session.nowMs),
    get(table, key) {
      const row = table.rows.get(key);
      return row && seenBy(row, session);
    },
    list(table) {
      const values = [];
      for (const row of table.rows.values()) {
        const value = seenBy(row, session);
        if (value !== undefined) values.push(value);
      }
      return values;
    },
    lock(table, key) {
      const row = table.rows.get(key);
      if (!row || (row.committed === undefined && row.holder !== session)) return undefined;
      hold(table, key, row);
      return seenBy(row, session);
    },
    isHeld(table, key) {
      const holder = table.rows.get(key)?.holder;
      return holder !== undefined && holder !== session;
    },
    put: write,
    remove: (table, key) => write(table, key, undefined),
    find(table, index, key) {
      const { keyOf, rows } = table.indexes[index];
      const values = [];
      for (const rowKey of rows.get(key) ?? []) {
        const row = table.rows.get(rowKey);
        const value = row && seenBy(row, session);
        if (value !== undefined && keyOf(value) === key) values.push(value);
      }
      return values;
    },
    conflict(table, index, key, exceptKey) {
      const { keyOf, rows } = table.indexes[index];
      const matches = <V>(value: V | undefined) =>
        value !== undefined && (keyOf as unknown as KeyOf<V>)(value) === key;
      for (const rowKey of rows.get(key) ?? []) {
        const row = rowKey === exceptKey ? undefined : table.rows.get(rowKey);
        if (!row) continue;
        const isOthers = row.isWritten && row.holder !== undefined && row.holder !== session;
        if (isOthers && (matches(row.committed) || matches(row.pending)))
          throw new Blocked(row.holder as Session);
        const value = isOthers ? undefined : seenBy(row, session);
        if (matches(value)) return value;
      }
      return undefined;
    },
  };
  try {
    return statement(view);
  } catch (error) {
    for (const { row, pending, isWritten } of before.reverse()) {
      row.pending = pending;
      row.isWritten = isWritten;
    }
    throw error;
  }
}

/** Ends the transaction. Returns those who waited for it, who may go on now. */
export function endSession(session: Session, commits: boolean): (() => void)[] {
  for (const { table, key, row } of session.touched) {
    const before = row.committed;
    if (commits && row.isWritten) row.committed = row.pending;
    for (const value of row.written) takeFromIndexes(table, key, value, row.committed);
    row.written.length = 0;
    if (before !== undefined && before !== row.committed) takeFromIndexes(table, key, before, row.committed);
    row.pending = undefined;
    row.isWritten = false;
    row.holder = undefined;
    if (row.committed === undefined) table.rows.delete(key);
  }
  session.touched.length = 0;
  session.isFailed = false;
  session.nowMs = 0;
  return session.waiters.splice(0);
}

/** Whether waiting for `holder` would wait for itself. */
export function isDeadlock(session: Session, holder: Session): boolean {
  for (let one: Session | undefined = holder; one; one = one.waitsFor) if (one === session) return true;
  return false;
}
