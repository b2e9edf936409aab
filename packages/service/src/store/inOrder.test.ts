import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../test/createTestDatabase.js";
import { isUniqueViolation, type Transaction } from "./database.js";
import { inOrder } from "./inOrder.js";

const db = await createTestDatabase();
afterAll(() => db.close());
beforeEach(async () => {
  await db.query({ text: "DROP TABLE IF EXISTS arrivals" });
  await db.query({ text: "CREATE TABLE arrivals (place serial, step integer UNIQUE)" });
});

/** Writes the number of a step, after as long as it takes to overtake it. */
const arrive = (tx: Transaction, step: number, seconds = 0) =>
  tx.query<{ place: number }>({
    text: "WITH slow AS MATERIALIZED (SELECT pg_sleep($2)) INSERT INTO arrivals (step) SELECT $1 FROM slow RETURNING place",
    values: [step, seconds],
  });
const listArrivals = async () =>
  (await db.query<{ step: number }>({ text: "SELECT step FROM arrivals ORDER BY place" })).map(
    ({ step }) => step,
  );

describe("statements sent together", () => {
  test("run in the order of the array, though the first ones take longest", async () => {
    const places = await db.transaction((tx) =>
      inOrder(tx, [
        (tx) => arrive(tx, 1, 0.2),
        (tx) => arrive(tx, 2, 0.1),
        // A step of several statements, which are in order among themselves.
        (tx) => inOrder(tx, [(tx) => arrive(tx, 3, 0.05), (tx) => arrive(tx, 4)]),
        (tx) => arrive(tx, 5),
      ]),
    );
    expect(await listArrivals()).toEqual([1, 2, 3, 4, 5]);
    expect(places).toEqual([
      [{ place: 1 }],
      [{ place: 2 }],
      [[{ place: 3 }], [{ place: 4 }]],
      [{ place: 5 }],
    ]);
  });

  test("each sees what those before it wrote", async () => {
    const [, seen, , seenLater] = await db.transaction((tx) => {
      const count = (tx: Transaction) =>
        tx.query<{ n: bigint }>({ text: "SELECT count(*) AS n FROM arrivals" });
      return inOrder(tx, [(tx) => arrive(tx, 1, 0.1), count, (tx) => arrive(tx, 2), count]);
    });
    expect([seen, seenLater]).toEqual([[{ n: 1n }], [{ n: 2n }]]);
  });

  test("are all on their way before the first one is answered", async () => {
    const events: string[] = [];
    await db.transaction(async (tx) => {
      const observed: Transaction = {
        isTransaction: true,
        async query(statement) {
          events.push(`sent ${statement.values?.[0]}`);
          const rows = await tx.query(statement);
          events.push(`answered ${statement.values?.[0]}`);
          return rows as never;
        },
      };
      await inOrder(observed, [(tx) => arrive(tx, 1, 0.1), (tx) => arrive(tx, 2), (tx) => arrive(tx, 3)]);
    });
    expect(events).toEqual(["sent 1", "sent 2", "sent 3", "answered 1", "answered 2", "answered 3"]);
  });
});

describe("what would break the order fails", () => {
  test("a statement that a step sends after it waited, and nothing of the transaction stays", async () => {
    const late = db.transaction((tx) =>
      inOrder(tx, [
        async (tx) => {
          await arrive(tx, 1);
          await arrive(tx, 3);
        },
        (tx) => arrive(tx, 2),
      ]),
    );
    await expect(late).rejects.toThrow(/out of order/);
    expect(await listArrivals()).toEqual([]);
    // Control: without the helper the late statement runs, behind the step after it.
    await db.transaction((tx) => Promise.all([arrive(tx, 1).then(() => arrive(tx, 3)), arrive(tx, 2)]));
    expect(await listArrivals()).toEqual([1, 2, 3]);
  });
});

describe("of several failures", () => {
  test("the first in the array is the reason, however late its step hands it on", async () => {
    const failing = db.transaction((tx) =>
      inOrder(tx, [
        (tx) => arrive(tx, 1),
        async (tx) => {
          try {
            return await arrive(tx, 1);
          } catch (error) {
            for (let turn = 0; turn < 50; turn++) await undefined;
            throw error;
          }
        },
        // PostgreSQL refuses this one, because the transaction has failed by then.
        (tx) => arrive(tx, 2),
      ]),
    );
    await expect(failing).rejects.toSatisfy((error) => isUniqueViolation(error));
    expect(await listArrivals()).toEqual([]);
  });

  test("a step that throws before it sends anything is one of them", async () => {
    const failing = db.transaction((tx) =>
      inOrder(tx, [
        (tx) => arrive(tx, 1),
        () => {
          throw new Error("nothing to send");
        },
      ]),
    );
    await expect(failing).rejects.toThrow("nothing to send");
    expect(await listArrivals()).toEqual([]);
    await db.transaction((tx) => inOrder(tx, [(tx) => arrive(tx, 1)]));
    expect(await listArrivals()).toEqual([1]);
  });
});
