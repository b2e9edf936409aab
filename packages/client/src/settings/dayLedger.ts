import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AssayClientError } from "../assayClientError.js";
import { type LineFile, openLineFile } from "./lineFile.js";

/** What is counted: micro-dollars paid for answers, and micro-dollars and wei that transactions send away. */
export type LedgerKind = "priceMicroUsd" | "valueMicroUsd" | "valueWei";

/** A part of the day's limit. It counts in full until it is settled, also when this process ends before that. */
export interface Reservation {
  readonly amount: bigint;
  /** Replaces the amount by what was really spent, at most the amount. */
  settle(actual: bigint): Promise<void>;
}

export interface DayLedger {
  /**
   * Takes `amount` out of what the day's limit leaves, or what is left of it where `isPart` allows less. Throws DayLimitError
   * when nothing is left. Waits for open reservations of this process that may give something back.
   */
  reserve(
    kind: LedgerKind,
    amount: bigint,
    limit: bigint,
    options?: { readonly isPart?: boolean },
  ): Promise<Reservation>;
  /** What counts today. */
  spent(kind: LedgerKind): Promise<bigint>;
  close(): Promise<void>;
}

/** The day's limit is used up; it begins anew at midnight UTC. */
export class DayLimitError extends AssayClientError {
  override readonly name = "DayLimitError";
  override readonly code = "day_limit_reached";
  override readonly retryable = false;
  readonly kind: LedgerKind;

  constructor(kind: LedgerKind, amount: bigint, limit: bigint, spent: bigint) {
    const show = (value: bigint) =>
      kind === "valueWei" ? `${Number(value) / 1e18} ether` : `${Number(value) / 1e6} USD`;
    const what = kind === "priceMicroUsd" ? "paying for answers" : "what is sent away";
    super(
      `The limit for ${what} is ${show(limit)} today (UTC): ${show(spent)} of it are used, and this takes ${show(amount)}. Nothing was signed.`,
    );
    this.kind = kind;
  }
}

interface Line {
  readonly reserve?: string;
  readonly settle?: string;
  readonly kind?: LedgerKind;
  readonly amount: string;
  readonly limit?: string;
  readonly isPart?: boolean;
}

/**
 * The spending of one day in a file that several processes append to. No lock is needed: a reservation is appended first, and
 * then every reader computes from the order of the lines, in the same way, whether it was granted. A
 * reservation whose process has died still counts, so the limit is never exceeded.
 */
class Day {
  readonly #file: LineFile;
  readonly #granted = new Map<string, { kind: LedgerKind; amount: bigint }>();
  readonly #totals = new Map<LedgerKind, bigint>();

  constructor(file: LineFile) {
    this.#file = file;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async append(line: Line): Promise<void> {
    await this.#file.append(JSON.stringify(line));
    await this.readOn();
  }

  async readOn(): Promise<void> {
    for (const line of await this.#file.readOn()) this.#apply(line);
  }

  total(kind: LedgerKind): bigint {
    return this.#totals.get(kind) ?? 0n;
  }

  /** What the line of this id was given; undefined when it was given nothing. */
  granted(id: string): bigint | undefined {
    return this.#granted.get(id)?.amount;
  }

  #apply(text: string): void {
    const line = parseLine(text);
    if (!line) return;
    const amount = BigInt(line.amount);
    if (line.reserve && line.kind && line.limit) {
      const left = BigInt(line.limit) - this.total(line.kind);
      const given = amount <= left ? amount : line.isPart ? left : 0n;
      if (given <= 0n && amount > 0n) return;
      this.#granted.set(line.reserve, { kind: line.kind, amount: given });
      this.#totals.set(line.kind, this.total(line.kind) + given);
    } else if (line.settle) {
      const open = this.#granted.get(line.settle);
      if (!open || amount > open.amount) return;
      this.#granted.delete(line.settle);
      this.#totals.set(open.kind, this.total(open.kind) - open.amount + amount);
    }
  }
}

/** A line that its writer did not finish says nothing: it was not acted on. */
function parseLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return /^[0-9]+$/.test(line.amount) ? line : undefined;
  } catch {
    return undefined;
  }
}

export async function openDayLedger(folder: string, now: () => Date = () => new Date()): Promise<DayLedger> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const opened: { readonly name: string; readonly day: Promise<Day> }[] = [];
  const openToday = (): Promise<Day> => {
    const name = now().toISOString().slice(0, 10);
    const last = opened.at(-1);
    if (last?.name === name) return last.day;
    const day = openLineFile(join(folder, `${name}.jsonl`)).then((file) => new Day(file));
    // Reservations of yesterday may still be settled, in yesterday's file.
    opened.push({ name, day });
    return day;
  };
  /** May give something back: a reservation that would be refused waits for these first. */
  const open: Record<LedgerKind, Set<Promise<void>>> = {
    priceMicroUsd: new Set(),
    valueMicroUsd: new Set(),
    valueWei: new Set(),
  };

  // One reservation at a time, so that each knows which others of this process are open.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work, work);
    turn = result.catch(() => {});
    return result;
  };

  /** A reservation, or the open ones that may give something back. */
  const take = async (
    kind: LedgerKind,
    amount: bigint,
    limit: bigint,
    isPart: boolean,
  ): Promise<Reservation | Promise<void>[]> => {
    const day = await openToday();
    const id = randomUUID();
    // Before the line is written: one that is settled meanwhile may come after it in the file.
    const others = [...open[kind]];
    await day.append({
      reserve: id,
      kind,
      amount: `${amount}`,
      limit: `${limit}`,
      ...(isPart && { isPart }),
    });
    const granted = day.granted(id);
    if (granted === undefined || (granted < amount && others.length > 0)) {
      const total = day.total(kind);
      if (granted !== undefined) await day.append({ settle: id, amount: "0" });
      if (others.length === 0) throw new DayLimitError(kind, amount, limit, total);
      return others;
    }
    const { promise, resolve } = withResolvers();
    open[kind].add(promise);
    return {
      amount: granted,
      async settle(actual) {
        await day.append({ settle: id, amount: `${actual < granted ? actual : granted}` });
        open[kind].delete(promise);
        resolve();
      },
    };
  };

  return {
    async reserve(kind, amount, limit, { isPart = false } = {}) {
      for (;;) {
        const taken = await inTurn(() => take(kind, amount, limit, isPart));
        if (!Array.isArray(taken)) return taken;
        await Promise.race(taken);
      }
    },
    async spent(kind) {
      const day = await openToday();
      await day.readOn();
      return day.total(kind);
    },
    async close() {
      await Promise.all(opened.map(async ({ day }) => (await day).close()));
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
