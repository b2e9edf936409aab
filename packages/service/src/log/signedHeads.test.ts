import { isConsistent, verifyCheckpoint } from "@assay/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import { createDatabase } from "../store/database.js";
import { auditLog } from "./auditLog.js";
import { createLogSigner } from "./logSigner.js";
import { getConsistencyPath } from "./logTree.js";
import { findForeignOrigin, getSignedHead, type LogContext } from "./signedHeads.js";
import { createLog, type TestLog } from "./testing/createLog.js";

const place = useTestDatabase();
let log: TestLog;
beforeEach(async () => {
  log = await createLog(place.database);
});

const verify = (note: string, { logSigner }: LogContext = log) =>
  verifyCheckpoint(note, {
    origin: logSigner.origin,
    publicKey: Buffer.from(logSigner.publicKey, "base64"),
  });
const countSigned = async () => (await log.database.query({ text: "SELECT FROM log_checkpoints" })).length;

/** Refused, and said so. */
async function expectRefused(fault: RegExp): Promise<void> {
  const signed = await countSigned();
  await expect(getSignedHead(log)).rejects.toMatchObject({
    code: "log_inconsistent",
    fault: expect.stringMatching(fault),
  });
  expect(log.errors.at(-1)).toMatch(fault);
  await auditLog(log);
  await expect(getSignedHead(log)).rejects.toMatchObject({ code: "log_inconsistent" });
  expect(await countSigned()).toBe(signed);
}

async function expectSigned(size: number): Promise<void> {
  await auditLog(log);
  expect(verify((await getSignedHead(log)).note).size).toBe(size);
}

describe("untouched rows", () => {
  test("every head is signed, covers all leaves, and begins with the one before", async () => {
    let last = await getSignedHead(log);
    expect(verify(last.note)).toMatchObject({ size: 0 });
    for (const count of [1, 2, 5, 1, 100]) {
      await log.append(count);
      const head = await getSignedHead(log);
      expect(verify(head.note)).toMatchObject({ size: last.size + count, root: head.root });
      const path = await getConsistencyPath(log.database, last.size, head.size);
      expect(isConsistent({ first: last.size, second: head.size, path }, last.root, head.root)).toBe(true);
      last = head;
    }
    expect(await getSignedHead(log)).toEqual(last);
    await log.append(1);
    // A head that covers the leaf asked about is enough.
    expect(await getSignedHead(log, 108)).toEqual(last);
    expect((await getSignedHead(log, 109)).size).toBe(110);
    expect(log.errors).toEqual([]);
  });

  test("the audit signs what is new, and a slice at a time goes around a long log", async () => {
    await log.append(10);
    await auditLog(log);
    expect(await countSigned()).toBe(1);
    const places: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await auditLog(log, 4);
      const [row] = await log.database.query<{ next_leaf: bigint }>({
        text: "SELECT next_leaf FROM log_audit",
      });
      places.push(Number(row?.next_leaf));
    }
    expect(places).toEqual([4, 8, 0, 4, 8]);
    expect(await countSigned()).toBe(1);
    expect(log.errors).toEqual([]);
  });

  test("signers of two processes at once sign each size once", async () => {
    const database = createDatabase({ connectionString: log.database.connectionString });
    const other: LogContext = { ...log, database };
    await log.append(9);
    const heads = await Promise.all(
      Array.from({ length: 20 }, (_, i) => [getSignedHead(i % 2 ? log : other), auditLog(other)]).flat(),
    );
    expect(new Set(heads.filter(Boolean).map((head) => head?.note)).size).toBe(1);
    expect(await countSigned()).toBe(1);
    await database.close();
  });

  test("after a change of key the head is signed again under the new name", async () => {
    await log.append(3);
    const before = await getSignedHead(log);
    const changed = {
      ...log,
      logSigner: createLogSigner([Buffer.alloc(32, 8)], `0x${"cd".repeat(20)}`, "test"),
    };
    expect(await findForeignOrigin(log.database, log.logSigner)).toBeUndefined();
    expect(await findForeignOrigin(log.database, changed.logSigner)).toBe(log.logSigner.origin);
    const after = await getSignedHead(changed);
    expect(verify(after.note, changed)).toMatchObject({ size: 3, root: before.root });
    expect(await countSigned()).toBe(1);
    expect(await findForeignOrigin(log.database, log.logSigner)).toBe(changed.logSigner.origin);
  });

  test("while keys are rotated the head is signed by both, once, whichever process is asked", async () => {
    await log.append(3);
    const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const signers = [[former, next], [next, former], [former]].map((seeds) => ({
      ...log,
      logSigner: createLogSigner(seeds, `0x${"Ab".repeat(20)}`, "test"),
    }));
    const alone = await getSignedHead(log);
    const notes = [];
    for (const process of signers) notes.push((await getSignedHead(process)).note);
    expect(new Set(notes).size).toBe(1);
    expect(notes[0]).not.toBe(alone.note);
    for (const process of signers) expect(verify(notes[0] ?? "", process)).toMatchObject({ size: 3 });
    expect(await findForeignOrigin(log.database, log.logSigner)).toBeUndefined();
  });
});

describe("edited rows are noticed at the next checkpoint, and nothing is signed until they are right again", () => {
  const editLeaf = (index: number) =>
    log.tamper("UPDATE log_leaves SET leaf = leaf || '!' WHERE leaf_index = $1", [index]);
  const mendLeaf = (index: number) =>
    log.tamper("UPDATE log_leaves SET leaf = substr(leaf, 1, length(leaf) - 1) WHERE leaf_index = $1", [
      index,
    ]);
  /** Changes the first byte; twice, and it is what it was. */
  const editNode = (level: number, position: number) =>
    log.tamper(
      "UPDATE log_nodes SET hash = set_byte(hash, 0, get_byte(hash, 0) # 255) WHERE level = $1 AND position = $2",
      [level, position],
    );

  test("a leaf appended since the last one", async () => {
    await log.append(5);
    await getSignedHead(log);
    await log.append(4);
    await editLeaf(6);
    await expectRefused(/^leaf 6 is lost or differs/);
    await mendLeaf(6);
    await expectSigned(9);
  });

  test("a leaf that was signed before", async () => {
    await log.append(21);
    await getSignedHead(log);
    await editLeaf(2);
    await auditLog(log);
    await expectRefused(/^leaf 2 is lost or differs/);
    await mendLeaf(2);
    await expectSigned(21);
  });

  test("a leaf and its hash together", async () => {
    await log.append(8);
    await getSignedHead(log);
    await editLeaf(2);
    await log.tamper(
      "UPDATE log_nodes SET hash = sha256('\\x00'::bytea || leaf) FROM log_leaves WHERE level = 0 AND position = 2 AND leaf_index = 2",
    );
    await auditLog(log);
    await expectRefused(/^node 1 of level 1 is lost or differs/);
  });

  test("the whole tree rebuilt around an edited leaf", async () => {
    await log.append(8);
    await getSignedHead(log);
    await editLeaf(2);
    await log.tamper("DELETE FROM log_nodes");
    await log.tamper("SELECT log_complete_nodes(0, 8)");
    await auditLog(log);
    await expectRefused(/^the log does not begin with the 8 leaves that were signed/);
  });

  test.each([
    ["old", 1, 0],
    ["old", 3, 0],
    ["old", 4, 0],
    ["new", 1, 9],
    ["new", 2, 4],
  ])("an inner node, %s: level %i, position %i", async (age, level, position) => {
    await log.append(17);
    await getSignedHead(log);
    await log.append(6);
    await editNode(level, position);
    if (age === "old") await auditLog(log);
    await expectRefused(new RegExp(`^node ${position} of level ${level} is lost or differs`));
    await editNode(level, position);
    await expectSigned(23);
  });

  test("a node of a slice that is not up yet, once its turn comes; the audit then stays there", async () => {
    await log.append(16);
    await getSignedHead(log);
    await editNode(1, 5);
    await auditLog(log, 4);
    await auditLog(log, 4);
    expect(log.errors).toEqual([]);
    for (let turn = 0; turn < 3; turn++) await auditLog(log, 4);
    expect(log.errors).toEqual(Array(3).fill(expect.stringMatching(/^node 5 of level 1 /)));
    await expect(getSignedHead(log)).rejects.toMatchObject({ code: "log_inconsistent" });
    await editNode(1, 5);
    await auditLog(log, 4);
    expect((await getSignedHead(log)).size).toBe(16);
  });

  const truncate = async (size: number) => {
    await log.tamper("DELETE FROM log_leaves WHERE leaf_index >= $1", [size]);
    await log.tamper("DELETE FROM log_nodes WHERE (position + 1) << level > $1", [size]);
  };

  test("the newest rows truncated", async () => {
    await log.append(12);
    await getSignedHead(log);
    await truncate(9);
    await log.tamper("UPDATE log_head SET size = 9");
    await auditLog(log);
    await expectRefused(/^the log holds 9 leaves, fewer than the 12 that were signed/);
  });

  test("the newest rows truncated and others appended instead", async () => {
    await log.append(12);
    await getSignedHead(log);
    await truncate(9);
    await log.tamper("UPDATE log_head SET size = 9");
    await log.append(5, "another history");
    await expectRefused(/^the log does not begin with the 12 leaves that were signed/);
  });

  test("the newest rows lost: what settles meanwhile is still appended, and once they are back all is signed", async () => {
    await log.append(12);
    await getSignedHead(log);
    await log.tamper("CREATE TABLE backup AS SELECT * FROM log_leaves WHERE leaf_index >= 9");
    await truncate(9);
    await log.append(8);
    await expectRefused(/is lost/);
    await log.tamper("INSERT INTO log_leaves SELECT * FROM backup");
    await log.tamper("SELECT log_complete_nodes(0, 20)");
    await expectSigned(20);
  });
});
