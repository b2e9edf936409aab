import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/createTestDatabase.js";
import { createReceiverCount, deleteOldReceivers } from "./receiverSignals.js";

let database: TestDatabase;
const artifactId = `sha256:${"1".repeat(64)}`;
const secret = Buffer.alloc(32, 7);
const signal = { artifactId, installation: "installation-0001", channel: "mail" };

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query({
    text: `INSERT INTO invocations (invocation_id, capability_id, capability_version, input_hash, state, lease_until, network,
             asset, payer, authorization_nonce, payment_digest, pay_to, amount, valid_before, reserved_at_block,
             quoted_status, list_price_micro_usd, credit_micro_usd, price_micro_usd, result_hash)
           VALUES ('inv_1', 'chain.snapshot', '1.0.0', 'h', 'settling', now(), 'n', 'a', 'p', 'x', 'd', 't', 1, 1, 1,
             'miss', 1, 0, 1, 'r')`,
  });
  await database.query({ text: "INSERT INTO responses VALUES ('inv_1', '', 'null', NULL)" });
  await database.query({
    text: `INSERT INTO artifacts VALUES ($1, 'chain.snapshot', '1.0.0', 'h', '{}', 'allow', 'inv_1', 1, 'b', 1, 1, now())`,
    values: [artifactId],
  });
});
afterAll(() => database.close());

const hashes = async () =>
  (
    await database.query<{ hash: string }>({
      text: "SELECT encode(receiver_hash, 'hex') AS hash FROM evidence_receivers ORDER BY day, receiver_hash",
    })
  ).map(({ hash }) => hash);
const counts = () =>
  database.query<{ day: string; channel: string; receivers: bigint }>({
    text: "SELECT day::text, channel, receivers FROM evidence_receiver_counts ORDER BY day, channel",
  });

test("thirty concurrent requests of one installation count once; its next day counts again", async () => {
  const count = createReceiverCount(database, secret);
  const today = new Date("2026-03-01T23:59:59.999Z");
  await Promise.all(Array.from({ length: 30 }, () => count(signal, today)));
  await count({ ...signal, channel: "other" }, today);
  await count(signal, new Date("2026-03-02T00:00:00.000Z"));
  expect(await counts()).toEqual([
    { day: "2026-03-01", channel: "mail", receivers: 1n },
    { day: "2026-03-02", channel: "mail", receivers: 1n },
  ]);
  expect(new Set(await hashes()).size).toBe(2);
});

test("the hash cannot be made without the secret", async () => {
  const before = await hashes();
  await createReceiverCount(database, Buffer.alloc(32, 8))(signal, new Date("2026-03-02T12:00:00.000Z"));
  expect(await hashes()).toHaveLength(before.length + 1);
});

test("hashes are deleted once their day is over, counts stay", async () => {
  await createReceiverCount(database, secret)(signal);
  const kept = await counts();
  await deleteOldReceivers(database);
  expect(await hashes()).toHaveLength(1);
  expect(await counts()).toEqual(kept);
});

test("channels that were made up do not stay: of past days the largest counts do", async () => {
  const count = createReceiverCount(database, secret);
  const past = new Date("2026-03-05T12:00:00.000Z");
  for (let index = 0; index < 5; index += 1)
    await count(
      { artifactId, installation: `made-up-installation-${index}`, channel: `made up ${index}` },
      past,
    );
  for (const installation of ["installation-0002", "installation-0003"])
    await count({ artifactId, installation, channel: "mail" }, past);
  await count({ ...signal, installation: "installation-0004", channel: "today" });
  await deleteOldReceivers(database, 1);
  const today = new Date().toISOString().slice(0, 10);
  const kept = (await counts()).filter((row) => row.day !== today);
  expect(kept).toEqual([{ day: "2026-03-05", channel: "mail", receivers: 2n }]);
  // Control: what is counted today is not over.
  expect(await counts()).toContainEqual({ day: today, channel: "today", receivers: 1n });
});
