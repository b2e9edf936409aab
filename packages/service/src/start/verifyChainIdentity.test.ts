import type { Chain } from "@assay/chain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { createDatabase } from "../store/database.js";
import { ConfigError } from "./configError.js";
import { verifyChainIdentity } from "./verifyChainIdentity.js";

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const ours = `0x${"11".repeat(32)}`;
const theirs = `0x${"22".repeat(32)}`;
/** The only question asked of the chain: the hash of an early block. */
const chainWith = (hash: string) =>
  ({
    request: async (method: string, params: unknown[]) => {
      expect([method, ...params]).toEqual(["eth_getBlockByNumber", "0x1", false]);
      return { hash };
    },
  }) as unknown as Chain;

test("a new database is bound to the chain it first meets, and is accepted by it again", async () => {
  await verifyChainIdentity(database, chainWith(ours));
  await verifyChainIdentity(database, chainWith(ours));
  expect(
    await database.query({ text: "SELECT chain_id, anchor_block, anchor_hash FROM chain_identity" }),
  ).toEqual([{ chain_id: 8453n, anchor_block: 1n, anchor_hash: ours }]);
});

test("the database of another chain is refused with a sentence that names both blocks", async () => {
  await verifyChainIdentity(database, chainWith(ours));
  const refusal = verifyChainIdentity(database, chainWith(theirs));
  await expect(refusal).rejects.toThrow(ConfigError);
  await expect(refusal).rejects.toThrow(
    `DATABASE_URL belongs to another chain (its block 1 is ${ours}, the node's is ${theirs}); use the database of this chain or a new one.`,
  );
  // The refusal changed nothing.
  await verifyChainIdentity(database, chainWith(ours));
});

test("processes that bind a new database together all accept it", async () => {
  const pools = Array.from({ length: 8 }, () =>
    createDatabase({ connectionString: database.connectionString, maxConnections: 1 }),
  );
  await Promise.all(pools.map((pool) => pool.ping()));
  await Promise.all(pools.map((pool) => verifyChainIdentity(pool, chainWith(ours))));
  await Promise.all(pools.map((pool) => pool.close()));
});

test("a process that waited for another one to bind the database accepts it for the same chain and no other", async () => {
  // The first insert is held open, so the second is certain to wait for it.
  const late = createDatabase({ connectionString: database.connectionString, maxConnections: 1 });
  let waiting: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    await tx.query({ text: `INSERT INTO chain_identity VALUES (true, 8453, 1, '${ours}')` });
    waiting = verifyChainIdentity(late, chainWith(ours)).then(
      () => "accepted",
      (error: Error) => error.message,
    );
    for (;;) {
      const [blocked] = await tx.query<{ n: bigint }>({
        text: "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      });
      if (blocked?.n === 1n) break;
      await tx.query({ text: "SELECT pg_stat_clear_snapshot()" });
    }
  });
  expect(await waiting).toBe("accepted");
  await expect(verifyChainIdentity(late, chainWith(theirs))).rejects.toThrow(`its block 1 is ${ours}`);
  await late.close();
});
