import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { until } from "@assay/chain/testing/until";
import type { Devnet } from "@assay/devnet";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { pino } from "pino";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attempt } from "../../../campaigns/paidCalls.js";
import { createVoucherPayer, type VoucherPayer } from "../../../campaigns/voucherPayers.js";
import { createTestDatabase, type TestDatabase } from "../../../test/createTestDatabase.js";
import { accountOf, balanceOf, fetchChallenge } from "../../../test/payer.js";
import { startOnDevnet } from "../../../test/startOnDevnet.js";
import { readChannels } from "../../payments/channels/channelChain.js";
import { findChannelByNo } from "../../payments/channels/channelRecords.js";
import { claimVouchers } from "../../payments/channels/claimVouchers.js";
import type { RunningService } from "../startService.js";
import { restoreBackup } from "./restoreBackup.js";
import { writeBackup } from "./writeBackup.js";

// Channels outlive the key that they name, and the database that knows their vouchers. Payers use the official client.

let devnet: Devnet;
let folder: string;
const databases: TestDatabase[] = [];
const running = new Set<RunningService>();

beforeAll(async () => {
  devnet = await openSharedDevnet({ blockTimeMs: 500 });
  folder = await mkdtemp(join(tmpdir(), "assay-channels-"));
});
afterAll(async () => {
  for (const service of running) await service.stop();
  for (const database of databases) await database.close();
  await devnet.close();
  await rm(folder, { recursive: true, force: true });
});

const openDatabase = async (options?: { migrated: boolean }) => {
  const database = await createTestDatabase(options);
  databases.push(database);
  return database;
};
const openService = async (database: TestDatabase, keys: string) => {
  const place = { devnet, dataDir: join(folder, "data"), databaseUrl: database.connectionString };
  const env = { RATE_LIMITS: "off", SERVICE_SIGNING_KEY: keys };
  const service = await startOnDevnet(place, env, pino({ level: "silent" }));
  running.add(service);
  return service;
};
const stop = async (service: RunningService) => {
  running.delete(service);
  await service.stop();
};

let seed = 1;
function openPayer(name: string): VoucherPayer {
  const account = devnet.accounts.find((one) => one.name === name);
  if (!account) throw new Error(`no account ${name}`);
  return createVoucherPayer(devnet, account.privateKey, createSeededChoices(seed++), () => 9);
}
const path = () => `/api/v1/capabilities/contract.interface/invoke?address=${devnet.contracts.plainToken}`;

/** Buys as a client does that believes a 402 once, if it agrees with what it can check. */
async function buy(service: RunningService, payer: VoucherPayer) {
  const statuses: number[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const call = await payer.sign(path(), await fetchChallenge(service.url + path()));
    const sight = await attempt(service.url, call);
    await payer.learn(call, sight);
    statuses.push(sight.status);
    if (sight.status === 200)
      return {
        statuses,
        /** All that the channel was charged, with this call. */
        total: BigInt(call.payment.payload.voucher.maxClaimableAmount),
        channelId: call.payment.payload.voucher.channelId,
        price: BigInt(call.payment.accepted.amount),
      };
  }
  throw new Error(`not sold: ${statuses}`);
}

async function channelOf(database: TestDatabase, channelId: string) {
  const [row] = await database.query<{ channel_no: bigint }>({
    text: "SELECT channel_no FROM channels WHERE channel_id = $1",
    values: [channelId.toLowerCase()],
  });
  return findChannelByNo(database, row?.channel_no ?? 0n);
}
const claimedOf = async ({ context }: RunningService, channelId: string) =>
  (await readChannels(context.chain, [channelId]))[0]?.claimed;
/** As if the charges of this channel alone were older than a claim may wait. */
const makeOld = (database: TestDatabase, channelId: string) =>
  database.query({
    text: "UPDATE channels SET unclaimed_since = now() - interval '2 hours' WHERE channel_id = $1",
    values: [channelId.toLowerCase()],
  });

/** Claims until the chain shows it: the service's own job may be at it. */
async function claim(service: RunningService, database: TestDatabase, channelId: string, total: bigint) {
  await makeOld(database, channelId);
  await until(async () => {
    await claimVouchers(service.context);
    return (await claimedOf(service, channelId)) === total ? true : undefined;
  }, 20_000);
}

test("a channel that names a former key is claimed and refunded by the service that still has that key, and by no other", async () => {
  const [former, present] = [generatePrivateKey(), generatePrivateKey()];
  const database = await openDatabase();
  const before = await openService(database, former);
  const [claimed, refunded] = [openPayer("alice"), openPayer("bob")];
  const [first, second] = [await buy(before, claimed), await buy(before, refunded)];
  // A refund names the channel, whose id is made with the key of the challenge that it was opened with.
  const opening = await fetchChallenge(before.url + path());
  const refund = await refunded.signRefund(path(), opening);
  expect(refund.payment.payload.voucher.channelId).toBe(second.channelId);
  await stop(before);

  const without = await openService(database, present);
  await claim(without, database, first.channelId, 0n);
  expect((await attempt(without.url, refund)).status).toBe(402);
  await stop(without);

  const after = await openService(database, `${present},${former}`);
  expect(after.context.signer.address).not.toBe(before.context.signer.address);

  const wallet = accountOf({ chainOf: devnet }, "bob").address;
  const balance = await balanceOf({ chainOf: devnet }, wallet);
  const sight = await attempt(after.url, refund);
  expect([sight.status, sight.code]).toEqual([200, ""]);
  // Ten calls were deposited, one was charged and is claimed with the refund.
  expect((await balanceOf({ chainOf: devnet }, wallet)) - balance).toBe(second.price * 9n);
  expect(await claimedOf(after, second.channelId)).toBe(second.price);
  await claim(after, database, first.channelId, first.price);
});

test("after a restoration no payer is charged for a lost call again, and what was claimed since buys nothing a second time", async () => {
  const key = generatePrivateKey();
  const database = await openDatabase();
  const before = await openService(database, key);
  const [claimed, waiting, stranger] = [openPayer("carol"), openPayer("dave"), openPayer("erin")];
  const { channelId: claimedId } = await buy(before, claimed);
  const { channelId: waitingId, total: known } = await buy(before, waiting);
  await writeBackup(database.connectionString, join(folder, "channels.gz"));
  await buy(before, claimed);
  const { total: claimedTotal } = await buy(before, claimed);
  const { channelId: strangerId, total: strangerTotal } = await buy(before, stranger);
  await claim(before, database, claimedId, claimedTotal);
  await buy(before, waiting);
  expect((await buy(before, waiting)).total).toBeGreaterThan(known);
  await stop(before);

  const restored = await openDatabase({ migrated: false });
  await restoreBackup(restored.connectionString, join(folder, "channels.gz"));
  const after = await openService(restored, key);
  // The chain shows what was claimed, so the next voucher adds to it.
  expect((await channelOf(restored, claimedId)).charged).toBe(claimedTotal);
  const next = await buy(after, claimed);
  expect(next.total).toBe(claimedTotal + next.price);
  // One call alone is not worth its claim.
  await buy(after, claimed);
  const { total } = await buy(after, claimed);
  await claim(after, restored, claimedId, total);

  // Of two calls only the payer's own vouchers knew, and it is corrected to what the database has: the loss is the operator's.
  const corrected = await buy(after, waiting);
  expect(corrected.statuses).toEqual([402, 200]);
  expect((await channelOf(restored, waitingId)).charged).toBe(known + corrected.price);

  // A channel of which nothing is left is opened by the voucher itself, which covers what was charged before.
  const reopened = await buy(after, stranger);
  expect(reopened.statuses).toEqual([200]);
  expect((await channelOf(restored, strangerId)).charged).toBe(strangerTotal + reopened.price);
});
