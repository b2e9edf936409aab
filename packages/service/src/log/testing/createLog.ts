import { createHash } from "node:crypto";
import type { Hex } from "@assay/protocol";
import { pino } from "pino";
import { createTestDatabase, type TestDatabase } from "../../../test/createTestDatabase.js";
import { appendLeaves } from "../appendLeaves.js";
import { createLogSigner } from "../logSigner.js";
import type { LogContext } from "../signedHeads.js";

export interface TestLog extends LogContext {
  readonly database: TestDatabase;
  /** One sentence for each error logged. */
  readonly errors: string[];
  /** Appends so many leaves in one transaction; what they say depends on `salt` and their index. */
  append(count: number, salt?: string): Promise<void>;
  /** Runs SQL as somebody with the password would. */
  tamper(text: string, values?: readonly unknown[]): Promise<void>;
}

const EMPTY = `
  TRUNCATE log_leaves, log_nodes, log_checkpoints, log_tiles CASCADE;
  UPDATE log_packing SET tiles = 0;
  UPDATE log_head SET size = 0;
  UPDATE log_audit SET next_leaf = 0, fault = NULL`;

/** An empty log in a database of its own, or in one whose log is emptied for it. */
export async function createLog(used?: TestDatabase): Promise<TestLog> {
  const database = used ?? (await createTestDatabase());
  if (used) await used.query({ text: EMPTY });
  const errors: string[] = [];
  const logger = pino({ level: "error" }, { write: (line) => errors.push(JSON.parse(line).fault) });
  let appended = 0;
  return {
    database,
    logger,
    errors,
    logSigner: createLogSigner([Buffer.alloc(32, 7)], `0x${"Ab".repeat(20)}`, "test"),
    append: (count, salt = "") => {
      const first = appended;
      appended += count;
      const leaves = Array.from({ length: count }, (_, i) => ({
        kind: "receipt" as const,
        subject: String(first + i),
        content: { number: first + i, salt },
      }));
      return database.transaction((tx) =>
        appendLeaves(tx, leaves, { name: "log_test", text: "SELECT leaf_index FROM appended" }),
      );
    },
    tamper: async (text, values = []) => {
      await database.query({ text, values });
    },
  };
}

const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** MTH of RFC 6962 section 2.1, as it stands there. */
export function defineRoot(leaves: readonly Uint8Array[]): Hex {
  const mth = (from: number, to: number): Buffer => {
    if (to === from) return sha256();
    if (to - from === 1) return sha256(Buffer.of(0), leaves[from] as Uint8Array);
    const middle = from + 2 ** (Math.ceil(Math.log2(to - from)) - 1);
    return sha256(Buffer.of(1), mth(from, middle), mth(middle, to));
  };
  return `0x${mth(0, leaves.length).toString("hex")}`;
}
