import { createBatchCalls } from "../../src/store/batchCalls.js";
import { type Database, isDatabaseOutage, type Statement as Sql } from "../../src/store/database.js";
import { bookStatements } from "./bookStatements.js";
import { channelStatements } from "./channelStatements.js";
import { drawDelayMs, type FaultKind, never, type Scene } from "./faults.js";
import { paymentStatements, type Statement } from "./paymentStatements.js";
import { quoteStatements } from "./quoteStatements.js";
import {
  Blocked,
  createSession,
  endSession,
  isDeadlock,
  runStatement,
  type Session,
  sqlError,
} from "./rowStore.js";
import type { Tables } from "./tables.js";
import type { Owner } from "./timeline.js";

const statements: Readonly<Record<string, Statement>> = {
  ...paymentStatements,
  ...quoteStatements,
  ...bookStatements,
  ...channelStatements,
};

const STATEMENT_TIMEOUT_MS = 10_000;
const KINDS: readonly FaultKind[] = [
  "request lost",
  "answer lost",
  "late",
  "very late",
  "died before",
  "died after",
];

/** The name of a statement, or the beginning of the text of one that has none. */
export const nameOf = ({ name, text }: Sql): string => name ?? text.trim().split(" = ")[0] ?? text;

const cutOff = (): Error =>
  Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });

type Answer = { readonly rows: unknown[] } | { readonly error: Error };

/** A statement that has ended, in the order in which they end. */
export interface Ended {
  readonly session: Session;
  readonly isTransaction: boolean;
  readonly step: string;
  readonly sql: Sql;
  /** When its transaction began. */
  readonly nowMs: number;
  readonly answer: Answer;
}

/** The server: the tables, and who waits for whom. */
export interface DatabaseServer {
  readonly tables: Tables;
  /** Statements of one connection run in the order in which they arrive. */
  run(line: Line, sql: Sql, answer: (answer: Answer) => void): void;
  cut(line: Line): void;
}

/** A connection and what arrived on it while an earlier statement waits. */
export interface Line {
  readonly session: Session;
  readonly isTransaction: boolean;
  readonly backlog: (() => void)[];
  isBusy: boolean;
  /** When the newest statement arrives: none overtakes another. */
  arrivesAtMs: number;
}
export const openLine = (isTransaction: boolean): Line => ({
  session: createSession(),
  isTransaction,
  backlog: [],
  isBusy: false,
  arrivesAtMs: 0,
});

/** Replaces what a statement does: how a control takes a protection away. */
export type Overrides = Readonly<Record<string, (usual: Statement) => Statement>>;

export function createDatabaseServer(
  scene: Scene,
  tables: Tables,
  overrides: Overrides = {},
  onEnd: (ended: Ended) => void = () => {},
): DatabaseServer {
  const { timeline, trace } = scene;

  function end(line: Line, commits: boolean): void {
    const woken = endSession(line.session, commits);
    for (const wake of woken) timeline.after(0, undefined, wake);
  }

  function next(line: Line): void {
    line.isBusy = false;
    line.backlog.shift()?.();
  }

  function execute(line: Line, sql: Sql, answer: (answer: Answer) => void): void {
    const { session } = line;
    const step = nameOf(sql);
    const { values = [] } = sql;
    const usual = statements[step];
    if (!usual) {
      answer({ error: new Error(`the simulation does not know the statement ${step}`) });
      return;
    }
    const statement = overrides[step]?.(usual) ?? usual;
    if (session.nowMs === 0) session.nowMs = timeline.nowMs();
    let isOver = false;
    const settle = (given: Answer) => {
      isOver = true;
      session.waitsFor = undefined;
      answer(given);
    };
    const fail = (error: Error) => {
      session.isFailed = true;
      if (!line.isTransaction) end(line, false);
      settle({ error });
    };
    const attempt = () => {
      if (isOver || session.isEnded) return;
      session.waitsFor = undefined;
      try {
        const rows = runStatement(session, (view) => statement(view, tables, values));
        if (!line.isTransaction) end(line, true);
        settle({ rows });
      } catch (error) {
        if (!(error instanceof Blocked)) return fail(error as Error);
        if (isDeadlock(session, error.holder)) {
          trace.note(`deadlock at ${step}`);
          return fail(sqlError("40P01", `deadlock detected at ${step}`));
        }
        session.waitsFor = error.holder;
        error.holder.waiters.push(attempt);
      }
    };
    attempt();
    if (!isOver)
      timeline.after(STATEMENT_TIMEOUT_MS, undefined, () => {
        if (!isOver && !session.isEnded)
          fail(sqlError("57014", `canceling ${step} due to statement timeout`));
      });
  }

  return {
    tables,
    run(line, sql, answer) {
      const step = nameOf(sql);
      const { session, isTransaction } = line;
      if (session.isEnded) return answer({ error: cutOff() });
      if (line.isBusy) return void line.backlog.push(() => this.run(line, sql, answer));
      line.isBusy = true;
      const nowMs = session.nowMs || timeline.nowMs();
      const done = (given: Answer) => {
        onEnd({ session, isTransaction, step, sql, nowMs, answer: given });
        answer(given);
        next(line);
      };
      if (step === "COMMIT" || step === "ROLLBACK") {
        const commits = step === "COMMIT" && !line.session.isFailed;
        end(line, commits);
        line.session.isEnded = true;
        return done({ rows: [] });
      }
      if (line.session.isFailed && line.isTransaction)
        return done({ error: sqlError("25P02", "current transaction is aborted") });
      execute(line, sql, done);
    },
    cut(line) {
      if (line.session.isEnded) return;
      const { session, isTransaction } = line;
      session.isEnded = true;
      const answer = { rows: [] };
      onEnd({ session, isTransaction, step: "ROLLBACK", sql: ROLLBACK, nowMs: session.nowMs, answer });
      end(line, false);
    },
  };
}

const COMMIT: Sql = { text: "COMMIT" };
const ROLLBACK: Sql = { text: "ROLLBACK" };

/** The connections of one process. */
export interface SimulatedDatabase extends Database {
  /** The server notices after a while that the process is gone. */
  lose(): void;
}

export function createSimulatedDatabase(
  scene: Scene,
  server: DatabaseServer,
  owner: Owner,
): SimulatedDatabase {
  const { timeline, choices, faults, trace } = scene;
  const lines = new Set<Line>();

  function ask<T>(line: Line, sql: Sql): Promise<T[]> {
    if (owner.isDead) return never();
    const step = nameOf(sql);
    const fault = faults.draw(step, KINDS);
    if (fault === "died before") {
      scene.kill(owner);
      return never();
    }
    return new Promise<T[]>((resolve, reject) => {
      const reply = (answer: Answer) => {
        if (fault === "died after") return scene.kill(owner);
        const isLost = fault === "answer lost" || fault === "request lost";
        if (isLost) server.cut(line);
        const settle = () => {
          if (isLost) return reject(cutOff());
          if ("error" in answer) reject(answer.error);
          else resolve(answer.rows as T[]);
        };
        trace.note(
          `${owner.name} ${step} ${"rows" in answer ? answer.rows.length : answer.error.message} ${fault ?? ""}`,
        );
        if (!isLost && choices.chance(0.6) && timeline.claim(owner)) settle();
        else timeline.after(choices.integer(0, 2), owner, settle);
      };
      const nowMs = timeline.nowMs();
      line.arrivesAtMs = Math.max(line.arrivesAtMs, nowMs + drawDelayMs(choices, fault));
      timeline.after(line.arrivesAtMs - nowMs, undefined, () => {
        if (fault === "request lost") reply({ rows: [] });
        else server.run(line, sql, reply);
      });
    });
  }

  const query = <Row>(sql: Sql): Promise<Row[]> => ask(openLine(false), sql);

  return {
    query,
    async transaction(work) {
      const line = openLine(true);
      lines.add(line);
      try {
        const result = await work({ isTransaction: true, query: (sql) => ask(line, sql) });
        await ask(line, COMMIT);
        return result;
      } catch (error) {
        await ask(line, ROLLBACK).catch(() => undefined);
        throw error;
      } finally {
        lines.delete(line);
      }
    },
    batch: createBatchCalls((error) => !isDatabaseOutage(error)),
    listen: async () => undefined,
    ping: async () => undefined,
    close: async () => undefined,
    lose() {
      for (const line of lines) timeline.after(choices.integer(0, 50), undefined, () => server.cut(line));
    },
  };
}
