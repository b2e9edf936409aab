import type { Transaction } from "./database.js";

/** Part of a transaction. It sends its statements before it first waits, through the transaction that it is given. */
export type Step<T> = (tx: Transaction) => Promise<T>;

/**
 * Sends the statements of several steps in the order of the array, in one round trip, and waits for all answers. The
 * driver writes the statements of one connection in the order in which they are issued, and PostgreSQL runs each after
 * the one before it has ended: a later statement sees what an earlier one wrote, and locks are taken in this order.
 *
 * A step that waits and then issues another statement would send it behind the steps after it. Such a statement is not
 * sent: it fails, and the transaction with it. When several steps fail, the error thrown is that of the first in the
 * array, because PostgreSQL refuses every statement after a failed one.
 */
export async function inOrder<T extends unknown[]>(
  tx: Transaction,
  steps: [...{ [K in keyof T]: Step<T[K]> }],
): Promise<T> {
  const ended = await Promise.allSettled(steps.map((step) => begin(tx, step)));
  return ended.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  }) as T;
}

/** Turns a throw into a rejection: the answers to the steps before must still be waited for. */
function begin(tx: Transaction, step: Step<unknown>): Promise<unknown> {
  let isOver = false;
  const turn: Transaction = {
    isTransaction: true,
    async query(statement) {
      if (isOver)
        throw new Error(`out of order, the step has had its turn: ${statement.name ?? statement.text}`);
      return tx.query(statement);
    },
  };
  try {
    return step(turn);
  } catch (error) {
    return Promise.reject(error);
  } finally {
    isOver = true;
  }
}
